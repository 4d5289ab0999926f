// SPDX-License-Identifier: Apache-2.0
import { claudeCodeInstaller } from "../hosts/claude-code/install/installer.ts";
import { hermesInstaller } from "../hosts/hermes/install/installer.ts";
import type { Installer } from "../hosts/installer.ts";
import { openCodeInstaller } from "../hosts/opencode/install/installer.ts";

/** Every agent that isthmos can be wired into, one line each; the first is the default. */
export const installers: readonly [Installer, ...Installer[]] = [
  claudeCodeInstaller,
  openCodeInstaller,
  hermesInstaller,
];

export function findInstaller(name: string): Installer | undefined {
  return installers.find((installer) => installer.name === name);
}

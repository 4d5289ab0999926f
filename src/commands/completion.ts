// SPDX-License-Identifier: Apache-2.0
import type { Io } from "../io.ts";
import { SCRIPTS, type Shell } from "./completion/scripts.ts";

/** `isthmos completion`: prints the script that a shell sources. */
export function run({ shell }: { readonly shell: Shell }, io: Io): number {
  io.stdout(SCRIPTS[shell]);
  return 0;
}

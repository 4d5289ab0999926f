// SPDX-License-Identifier: Apache-2.0
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { decodeUtf8 } from "../../core/utf8.ts";
import type { Env } from "../../env.ts";
import { errorCode, readFile } from "../../files.ts";
import { findWiring } from "../../hosts/claude-code/settings.ts";
import type { SettingsFile, SettingsProblem, Wiring } from "../../hosts/claude-code/wiring.ts";
import { selfCommand } from "../../io.ts";

/** What the client's settings files say, and whether the client is on this machine at all. */
export interface WiredFiles extends Wiring {
  /** A settings folder of the client exists. */
  readonly isInstalled: boolean;
}

/** Settings of real users are a few KB. */
const SETTINGS_MAX_BYTES = 4 * 1024 * 1024;

/** Where an administrator's settings lie, by platform. */
const MANAGED_FILES: readonly string[] = [
  "/etc/claude-code/managed-settings.json",
  "/Library/Application Support/ClaudeCode/managed-settings.json",
];

/**
 * Reads user, project, local and the administrator's settings; a missing file says nothing, one that cannot be read is
 * a problem.
 */
export function readSettings({ claudeDir, cwd }: Env, managed = MANAGED_FILES): WiredFiles {
  const userDir = resolve(claudeDir.value);
  const projectDir = cwd === undefined ? undefined : resolve(cwd, ".claude");
  const places = [{ scope: "user", path: join(userDir, "settings.json") }];
  // In the home folder the project's settings are the user's.
  if (projectDir !== undefined && projectDir !== userDir) {
    places.push({ scope: "project", path: join(projectDir, "settings.json") });
  }
  if (projectDir !== undefined) {
    places.push({ scope: "local", path: join(projectDir, "settings.local.json") });
  }
  places.push(...managed.map((path) => ({ scope: "managed", path })));
  const files: SettingsFile[] = [];
  const problems: SettingsProblem[] = [];
  for (const place of places) {
    const text = readText(place.path);
    if (typeof text === "string") files.push({ ...place, text });
    else if (text !== undefined) problems.push({ ...place, message: text.problem });
  }
  const wiring = findWiring(files, selfCommand());
  return {
    ...wiring,
    problems: [...problems, ...wiring.problems],
    isInstalled: [userDir, projectDir].some((dir) => dir !== undefined && isFolder(dir)),
  };
}

function readText(path: string): string | { readonly problem: string } | undefined {
  try {
    const bytes = readFile(path, { maxBytes: SETTINGS_MAX_BYTES, follow: true });
    return bytes && (decodeUtf8(bytes) ?? { problem: "the file is not UTF-8" });
  } catch (error) {
    return { problem: `cannot be read (${errorCode(error) ?? "unknown error"})` };
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

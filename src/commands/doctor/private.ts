// SPDX-License-Identifier: Apache-2.0
import { lstatSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { list } from "../../files.ts";
import { logFile } from "../../measure/log.ts";
import { formatCount } from "../../measure/units.ts";
import { revealedFolder, storeFolder } from "../../store/layout.ts";
import type { Facts } from "./facts.ts";
import { type Finding, listSome } from "./finding.ts";

export const WIDE = 0o077;
const STICKY = 0o1000;
/** So many are named. */
const SHOWN = 3;

/** Can other users reach what isthmos keeps (C13)? Looks two levels deep. */
export function checkPrivate({ env, show }: Facts): Finding[] {
  const stateDir = env.stateDir.value;
  // The folder itself may be a link, what is in it may not.
  const root = statOf(stateDir, statSync);
  if (!root?.isDirectory()) return [];
  const check = "private";
  if (isShared(root)) {
    const message = `${show(stateDir)} is a folder that all users share`;
    return [{ check, level: "warning", message, hint: "set ISTHMOS_STATE_DIR to a folder of its own" }];
  }
  const wide = findWide(stateDir);
  if (wide.length === 0) return [];
  const named = wide.map((path) => show(path));
  const message = `${formatCount(wide.length, "file or folder", "files or folders")} open to other users: ${listSome(named, SHOWN)}`;
  const step = wide.length > SHOWN ? `chmod -R go-rwx ${show(stateDir)}` : `chmod go-rwx ${named.join(" ")}`;
  // These are narrowed whenever they are written to.
  const mended = new Set([logFile(stateDir), join(stateDir, "health.jsonl"), storeFolder(stateDir)]);
  const isMended = wide.every((path) => mended.has(path));
  const hint = `${isMended ? "mended at the next write, or by" : "run"} isthmos doctor --fix, or ${step}`;
  return [{ check, level: "warning", message, hint }];
}

/** A folder that every user may write to is not ours to close. */
function isShared({ mode }: Stats): boolean {
  return (mode & STICKY) !== 0;
}

/** What of the state folder, two levels deep, other users could reach; nothing of a folder that all share. */
export function findWide(stateDir: string): string[] {
  const root = statOf(stateDir, statSync);
  if (!root?.isDirectory() || isShared(root)) return [];
  return [...((root.mode & WIDE) !== 0 ? [stateDir] : []), ...findWideBelow(stateDir)];
}

function findWideBelow(stateDir: string): string[] {
  const own = ownFolders(stateDir);
  const below = own.flatMap((folder) => namesIn(folder).map((name) => join(folder, name)));
  const files = (list(stateDir) ?? [])
    .filter((name) => /^(?:measure|health)[^/]*\.jsonl(?:\.1)?$/.test(name))
    .map((name) => join(stateDir, name));
  return [...files.sort(), ...own, ...below.sort()].filter((path) => {
    const found = statOf(path);
    // The mode of a link says nothing.
    return found !== undefined && !found.isSymbolicLink() && (found.mode & WIDE) !== 0;
  });
}

/** The folders that isthmos keeps in its state folder. */
export function ownFolders(stateDir: string): string[] {
  return [
    storeFolder(stateDir),
    revealedFolder(stateDir),
    ...["seen", "servers"].map((name) => join(stateDir, name)),
  ];
}

export function namesIn(folder: string): string[] {
  try {
    // What lies behind a link is not ours to judge.
    return lstatSync(folder).isDirectory() ? (list(folder) ?? []) : [];
  } catch {
    // Missing, or said where the folder itself is looked at.
    return [];
  }
}

function statOf(path: string, read: (path: string) => Stats = lstatSync): Stats | undefined {
  try {
    return read(path);
  } catch {
    return undefined;
  }
}

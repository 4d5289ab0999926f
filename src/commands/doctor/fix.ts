// SPDX-License-Identifier: Apache-2.0
// `doctor --fix`: what can be mended without asking. Only inside isthmos's own folders, and never an original, a rule
// or a settings file. Says what it did; what it cannot do is said and left.
import { chmodSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { list, makePrivateDir, parseTemp, remove, stat } from "../../files.ts";
import { appendRow } from "../../measure/log.ts";
import { formatCount } from "../../measure/units.ts";
import { removeKeyTemps } from "../../store/key-temps.ts";
import type { Facts } from "./facts.ts";
import type { Finding } from "./finding.ts";
import { findWide, namesIn, ownFolders, WIDE } from "./private.ts";
import type { Reality } from "./reality.ts";
import { openRefusals } from "./rewrites.ts";

/** A file on its way to its name is younger, if its writer lives. */
const LEFTOVER_MS = 10 * 60 * 1000;

/** Mends, and answers what was done; empty where nothing was to do. Never throws. */
export function fix(facts: Facts, { transcripts }: Reality): Finding[] {
  const { env, show, now } = facts;
  const stateDir = env.stateDir.value;
  const steps: readonly (readonly [what: string, run: () => string | undefined])[] = [
    ["the state folder", () => makeFolder(facts)],
    ["modes", () => closeFiles([...findWide(stateDir), ...wideKey(env.keyFile.value)])],
    ["copies of the key", () => removeCopies(facts)],
    ["leftover files", () => removeLeftovers(stateDir, now)],
    [
      "rewrites that did not arrive",
      () => {
        const calls = openRefusals(transcripts.refusals).flatMap(({ call }) => call ?? []);
        for (const { ts, tool, host, call, inBytes } of calls) {
          if (call !== undefined)
            appendRow(stateDir, { kind: "delivered", ts, tool, host, call, delivered: inBytes });
        }
        const rewrites = formatCount(calls.length, "rewrite");
        return calls.length === 0 ? undefined : `${rewrites} booked as not delivered: no saving in stats`;
      },
    ],
  ];
  return steps.flatMap(([what, run]): Finding[] => {
    try {
      const done = run();
      return done === undefined ? [] : [{ check: "fix", level: "ok", message: done }];
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return [{ check: "fix", level: "warning", message: `${what} could not be mended: ${show(reason)}` }];
    }
  });
}

function makeFolder({ env, wired, show }: Facts): string | undefined {
  const stateDir = env.stateDir.value;
  if (wired.ours.length === 0 || statSync(stateDir, { throwIfNoEntry: false }) !== undefined)
    return undefined;
  makePrivateDir(stateDir);
  return `made ${show(stateDir)}`;
}

function wideKey(path: string): string[] {
  const found = stat(path);
  return found?.isFile() && (found.mode & WIDE) !== 0 ? [path] : [];
}

function closeFiles(paths: readonly string[]): string | undefined {
  for (const path of paths) chmodSync(path, statSync(path).mode & 0o777 & ~WIDE);
  if (paths.length === 0) return undefined;
  return `${formatCount(paths.length, "file or folder", "files or folders")} closed to other users`;
}

function removeCopies({ setup, now }: Facts): string | undefined {
  const removed = removeKeyTemps(setup.store.keyFile, ({ mtimeMs }) => now - mtimeMs > LEFTOVER_MS);
  return removed === 0
    ? undefined
    : `${formatCount(removed, "leftover copy", "leftover copies")} of a key removed`;
}

function removeLeftovers(stateDir: string, now: number): string | undefined {
  const paths = [
    ...(list(stateDir) ?? []).map((name) => join(stateDir, name)),
    ...ownFolders(stateDir).flatMap((folder) => namesIn(folder).map((name) => join(folder, name))),
  ].filter((path) => parseTemp(basename(path)) !== undefined);
  const old = paths.filter((path) => {
    const found = stat(path);
    return found?.isFile() && now - found.mtimeMs > LEFTOVER_MS;
  });
  for (const path of old) remove(path);
  return old.length === 0 ? undefined : `${formatCount(old.length, "leftover temporary file")} removed`;
}

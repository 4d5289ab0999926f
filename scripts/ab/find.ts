// SPDX-License-Identifier: Apache-2.0
import { readdirSync, realpathSync, statSync } from "node:fs";
import { basename, join, sep } from "node:path";

/** One session: its transcript and those of its sub-agents. */
export interface Session {
  /** Name of the transcript without its ending. */
  readonly id: string;
  /** The first folder below the given one, or the session's id where there is none. */
  readonly folder: string;
  readonly files: readonly string[];
}

const ENDING = ".jsonl";
const SUBAGENTS = `${sep}subagents${sep}`;

/** The sessions below `roots`, each once, in the order of their paths. Throws where a folder holds none. */
export function findSessions(roots: readonly string[]): Session[] {
  const sessions = new Map<string, Session & { files: string[] }>();
  for (const given of roots) {
    if (!statSync(given, { throwIfNoEntry: false })?.isDirectory()) throw new Error(`no folder at ${given}`);
    const root = realpathSync(given);
    const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(ENDING),
    );
    if (files.length === 0) throw new Error(`no transcript (*${ENDING}) in ${given}`);
    for (const file of files.sort()) {
      const { session, folder } = placeOf(file);
      const path = join(root, session);
      const known = sessions.get(path) ?? { id: basename(session), folder, files: [] };
      sessions.set(path, known);
      const whole = join(root, file);
      // Folders may be given twice, or one in another.
      if (!known.files.includes(whole)) known.files.push(whole);
    }
  }
  return [...sessions.keys()].sort().flatMap((path) => sessions.get(path) ?? []);
}

/** Path of the session that a file below the root belongs to, without ending; and its folder. */
function placeOf(file: string): { session: string; folder: string } {
  const at = `${sep}${file}`.indexOf(SUBAGENTS);
  const session = at > 0 ? file.slice(0, at - 1) : file.slice(0, -ENDING.length);
  return { session, folder: session.split(sep)[0] ?? session };
}

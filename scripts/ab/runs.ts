// SPDX-License-Identifier: Apache-2.0
// Transcripts in, runs out: the rows of sessions that share rows (resumed or forked, the client copies them) are one
// run, and each row counts once.
import { readFileSync } from "node:fs";
import type { Session } from "./find.ts";
import type { Values } from "./protocol.ts";
import { type Row, readRow } from "./row.ts";
import { scoreRows } from "./score.ts";

/** The work on one task, from its first prompt to the end. */
export interface Run {
  /** Sessions that belong together; the first names the run. */
  readonly sessions: readonly string[];
  readonly folders: readonly string[];
  readonly values: Values;
  readonly models: readonly string[];
  readonly versions: readonly string[];
  /** Results that isthmos made smaller. */
  readonly rewrites: number;
  /** Replies whose usage is missing: their tokens are in no sum. */
  readonly withoutUsage: number;
  readonly subagents: number;
  /** To find rows that other runs have too. */
  readonly uuids: ReadonlySet<string>;
}

export interface Arm {
  readonly runs: readonly Run[];
  readonly brokenLines: number;
  readonly copiedRows: number;
  /** Sessions without a reply of the model. */
  readonly empty: readonly string[];
}

interface Group {
  readonly sessions: Session[];
  rows: Row[];
}

export function readArm(sessions: readonly Session[]): Arm {
  const homeOf = new Map<string, Group>();
  const groups = new Set<Group>();
  let brokenLines = 0;
  let copiedRows = 0;
  for (const session of sessions) {
    let group: Group = { sessions: [session], rows: [] };
    groups.add(group);
    for (const row of session.files.flatMap(readRows)) {
      if (row === "broken") {
        brokenLines++;
        continue;
      }
      const home = row.uuid === "" ? undefined : homeOf.get(row.uuid);
      if (home === undefined) {
        group.rows.push(row);
        if (row.uuid !== "") homeOf.set(row.uuid, group);
        continue;
      }
      copiedRows++;
      if (home === group) continue;
      // The session goes on from another: one run.
      home.sessions.push(...group.sessions);
      for (const moved of group.rows) {
        home.rows.push(moved);
        if (moved.uuid !== "") homeOf.set(moved.uuid, home);
      }
      groups.delete(group);
      group = home;
    }
  }
  const all = [...groups].map(scoreGroup);
  const isEmpty = ({ values }: Run) => values.replies === 0;
  return {
    runs: all.filter((run) => !isEmpty(run)),
    brokenLines,
    copiedRows,
    empty: all.filter(isEmpty).flatMap((run) => run.sessions),
  };
}

function scoreGroup({ sessions, rows }: Group): Run {
  const unique = (values: readonly string[]) => [...new Set(values)].filter((value) => value !== "").sort();
  return {
    ...scoreRows(rows),
    sessions: unique(sessions.map(({ id }) => id)),
    folders: unique(sessions.map(({ folder }) => folder)),
    models: unique(rows.map((row) => (row.kind === "reply" ? row.model : ""))),
    versions: unique(rows.map(({ version }) => version)),
    subagents: unique(rows.map(({ agent }) => agent)).length,
    uuids: new Set(unique(rows.map(({ uuid }) => uuid))),
  };
}

/** Rows that count, and the broken lines among them. */
function readRows(file: string): (Row | "broken")[] {
  const bytes = readFileSync(file);
  const rows: (Row | "broken")[] = [];
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(0x0a, start);
    const end = found < 0 ? bytes.length : found;
    const line = bytes.toString("utf8", start, end).trim();
    const row = line === "" ? undefined : readRow(line);
    if (row !== undefined) rows.push(row);
    start = end + 1;
  }
  return rows;
}

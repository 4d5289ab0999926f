// SPDX-License-Identifier: Apache-2.0
// What is measured of the resident server: each kind of call beside the floor, the first call of a session beside
// the later ones, and the memory after many calls.
import { setTimeout as sleep } from "node:timers/promises";
import { lowerQuartile, median, withRunMark } from "./figures.ts";
import { makeResidentRows, type ResidentRow, type ServerOptions, startServer } from "./resident.ts";
import type { Row } from "./rows.ts";

const SESSIONS = 9;
const PAUSE_MS = 50;
const MANY_CALLS = 1000;
/** First call of a session, as a multiple of the median. */
const FIRST_CALL_LIMIT = 3;
const MEMORY_LIMIT_MB = 120;

export interface ResidentResult {
  readonly row: ResidentRow;
  readonly ratio: number;
  readonly peakMb: number | undefined;
}

/** One row of the table; `timeFloor` runs the floor once and answers ns. */
export async function measureResident(
  options: ServerOptions,
  row: ResidentRow,
  runs: number,
  timeFloor: () => number,
): Promise<ResidentResult> {
  const server = await startServer(options);
  try {
    const { text } = await server.ask(withRunMark(row.input, 0));
    if (text.length > 0 !== (row.expect === "answered") || text.length > row.payloadBytes) {
      throw new Error(`the row "${row.name}" did not do its work: expected it to be ${row.expect}`);
    }
    const own: number[] = [];
    const floor: number[] = [];
    for (let run = 1; run <= runs; run++) {
      floor.push(timeFloor());
      own.push((await server.ask(withRunMark(row.input, run))).ns);
    }
    return { row, ratio: lowerQuartile(own) / lowerQuartile(floor), peakMb: server.memoryMb() };
  } finally {
    await server.end();
  }
}

/** What is over its limit, in words; tells the figures to `say`. */
export async function measureSessions(
  options: ServerOptions,
  hookRows: readonly Row[],
  say: (line: string) => void,
): Promise<string[]> {
  const [, small, large] = makeResidentRows(hookRows);
  if (small === undefined || large === undefined) throw new Error("the rows are not there");
  const first = await measureFirstCalls(options, small);
  say(
    `Resident, first call of a session, 2 KB: ${first.toFixed(1)} times the median (limit ${FIRST_CALL_LIMIT}).`,
  );
  const memory = await measureMemory(options, large);
  say(
    `Resident memory after ${MANY_CALLS} calls of 100 KB: ${memory?.toFixed(0) ?? "?"} MB (limit ${MEMORY_LIMIT_MB}).`,
  );
  return [
    ...(first > FIRST_CALL_LIMIT ? [`first call: ${first.toFixed(1)} times the median`] : []),
    ...((memory ?? 0) > MEMORY_LIMIT_MB ? [`resident memory: ${memory?.toFixed(0)} MB`] : []),
  ];
}

async function measureFirstCalls(options: ServerOptions, row: ResidentRow): Promise<number> {
  const first: number[] = [];
  const later: number[] = [];
  for (let session = 1; session <= SESSIONS; session++) {
    const server = await startServer(options);
    first.push((await server.ask(withRunMark(row.input, session * 1000))).ns);
    // As in a session, where the calls do not follow one another at once.
    for (let run = 1; run <= 20; run++) {
      await sleep(PAUSE_MS);
      later.push((await server.ask(withRunMark(row.input, session * 1000 + run))).ns);
    }
    await server.end();
  }
  return median(first) / median(later);
}

async function measureMemory(options: ServerOptions, row: ResidentRow): Promise<number | undefined> {
  const server = await startServer(options);
  for (let run = 1; run <= MANY_CALLS; run++) await server.ask(withRunMark(row.input, 100_000 + run));
  const memory = server.memoryMb();
  await server.end();
  return memory;
}

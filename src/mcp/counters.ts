// SPDX-License-Identifier: Apache-2.0
// What this server did so far, and its file, in which `isthmos doctor` finds it: written at most once a second and
// only where something happened.
import { recordHealth } from "../health.ts";
import { removeServer, type ServerState, sweepServers, writeServer } from "../servers.ts";
import { countSweeps } from "../store/sweep.ts";
import { VERSION } from "../version.ts";

export type Decision = "changed" | "unchanged" | "failed";

export interface Counters {
  decided(decision: Decision): void;
  /** An event went to a process of its own. */
  childCalled(): void;
  revealed(status: string): void;
  state(): ServerState;
}

const WRITE_EVERY_MS = 1000;

/** Counters of the process `pid`, all at none; `changed` is called after each count. */
export function createCounters({
  pid,
  rss,
  changed,
}: {
  readonly pid: number;
  readonly rss: () => number;
  readonly changed: () => void;
}): Counters {
  const started = new Date().toISOString();
  const decisions = new Map<string, number>();
  const reveals = new Map<string, number>();
  let childCalls = 0;
  const count = (counts: Map<string, number>, name: string) => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    changed();
  };
  return {
    decided: (decision) => count(decisions, decision),
    childCalled: () => {
      childCalls++;
    },
    revealed: (status) => count(reveals, status),
    state: () => ({
      pid,
      version: VERSION,
      started,
      updated: new Date().toISOString(),
      calls: [...decisions.values()].reduce((sum, n) => sum + n, 0),
      child_calls: childCalls,
      sweeps: countSweeps(),
      decisions: Object.fromEntries(decisions),
      reveals: Object.fromEntries(reveals),
      rss_bytes: rss(),
    }),
  };
}

export interface CountersFile {
  /** Has the counters written, soon. */
  touch(): void;
  /** Removes the file. */
  end(): void;
}

/** The file of these counters. What fails here costs nobody anything: the next write tries again. */
export function openCountersFile(stateDir: string, state: () => ServerState): CountersFile {
  let timer: NodeJS.Timeout | undefined;
  const write = () => {
    timer = undefined;
    try {
      writeServer(stateDir, state());
    } catch {
      // The health record has its own words for a full disk.
    }
  };
  // A server that was killed could not say so itself.
  for (let lost = sweepServers(stateDir); lost > 0; lost--) recordHealth(stateDir, "server_lost");
  write();
  return {
    touch: () => {
      timer ??= setTimeout(write, WRITE_EVERY_MS).unref();
    },
    end: () => {
      clearTimeout(timer);
      removeServer(stateDir, state().pid);
    },
  };
}

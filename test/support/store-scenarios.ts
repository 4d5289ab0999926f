// SPDX-License-Identifier: Apache-2.0
// What is interrupted by the fault and kill tests: each scenario has a state before (`prepare`) and a run whose
// file operations fail or are killed one after the other. Used by tests and by kill-driver.ts, so no test library.
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { appendLine, makePrivateDir } from "../../src/files.ts";
import { recordHealth } from "../../src/health.ts";
import { rotateKey } from "../../src/store/rotate.ts";
import { openSeen, type Seen } from "../../src/store/seen.ts";
import {
  age,
  entryPath,
  HOUR_MS,
  keyFileOf,
  MINUTE_MS,
  makeText,
  openTempStore,
  stateDirOf,
} from "./temp-store.ts";

export const HEAD = { tool: "Bash", kind: "text" };
/** The text that scenarios save, and what was there before. */
export const TEXT = makeText("the text");
export const YOUNG = makeText("young");
export const OLD = ["old 1", "old 2", "old 3"].map((seed) => makeText(seed));
export const EXPIRED = ["expired 1", "expired 2"].map((seed) => makeText(seed));
export const CALL = { session: "session", tool: "Bash", useId: "use", bytes: TEXT };

export interface Scenario {
  readonly prepare: (dir: string) => void;
  readonly run: (dir: string) => void;
}

export function openTempSeen(dir: string): Seen {
  return openSeen(stateDirOf(dir), keyFileOf(dir));
}

export function logOf(dir: string): string {
  return join(stateDirOf(dir), "log.jsonl");
}

function save(dir: string, text: Uint8Array, ageMs = 0): string {
  const store = openTempStore(dir, { maxEntries: 3 });
  const id = store.save(text, HEAD);
  if (ageMs > 0) age(entryPath(dir, id), ageMs);
  return id;
}

function start(dir: string): void {
  openTempSeen(dir).beginGeneration(CALL.session, { starts: true });
}

const nothing = () => {};

export const SCENARIOS = {
  "first save": { prepare: nothing, run: (dir) => save(dir, TEXT) },
  "save again": {
    prepare: (dir) => save(dir, TEXT, HOUR_MS),
    run: (dir) => save(dir, TEXT),
  },
  "save again over a torn entry": {
    prepare: (dir) => truncateSync(entryPath(dir, save(dir, TEXT)), 50),
    run: (dir) => save(dir, TEXT),
  },
  "save that sweeps": {
    prepare: (dir) => {
      save(dir, YOUNG);
      for (const text of OLD) save(dir, text, HOUR_MS);
      for (const text of EXPIRED) save(dir, text, 200 * HOUR_MS);
      const leftovers = ["00112233445566aa.bin", "00112233445566aa.meta", "store.key", ".x.1-a.tmp"];
      for (const name of leftovers) {
        const path = join(stateDirOf(dir), "store", name);
        writeFileSync(path, "left");
        age(path, 200 * HOUR_MS);
      }
      const held = join(stateDirOf(dir), "store", ".lock");
      writeFileSync(held, "");
      age(held, 11 * MINUTE_MS);
      age(join(stateDirOf(dir), "store", ".swept"), 2 * HOUR_MS);
    },
    run: (dir) => save(dir, TEXT),
  },
  rotate: {
    prepare: (dir) => {
      save(dir, TEXT, 100 * HOUR_MS);
      save(dir, YOUNG);
      openTempStore(dir).markRevealed(openTempStore(dir).id(YOUNG));
    },
    run: (dir) => rotateKey({ stateDir: stateDirOf(dir), keyFile: keyFileOf(dir) }),
  },
  load: {
    prepare: (dir) => save(dir, TEXT),
    run: (dir) => openTempStore(dir).load(openTempStore(dir).id(TEXT)),
  },
  "mark as revealed": {
    prepare: (dir) => save(dir, TEXT),
    run: (dir) => openTempStore(dir).markRevealed(openTempStore(dir).id(TEXT)),
  },
  append: {
    prepare: (dir) => {
      makePrivateDir(stateDirOf(dir));
      appendLine(logOf(dir), '{"row":1}');
    },
    run: (dir) => {
      appendLine(logOf(dir), '{"row":2}');
      recordHealth(stateDirOf(dir), "internal");
    },
  },
  "seen pend": { prepare: start, run: (dir) => openTempSeen(dir).pend(CALL) },
  "seen promote": {
    prepare: (dir) => {
      start(dir);
      openTempSeen(dir).pend(CALL);
    },
    run: (dir) => openTempSeen(dir).promote(CALL),
  },
  "seen boundary": {
    prepare: (dir) => {
      start(dir);
      openTempSeen(dir).pend(CALL);
      openTempSeen(dir).promote(CALL);
    },
    run: (dir) => openTempSeen(dir).beginGeneration(CALL.session, { starts: false }),
  },
} satisfies Record<string, Scenario>;

export type ScenarioName = keyof typeof SCENARIOS;

export function isScenarioName(name: string): name is ScenarioName {
  return Object.hasOwn(SCENARIOS, name);
}

export const SCENARIO_NAMES = Object.keys(SCENARIOS).filter(isScenarioName);

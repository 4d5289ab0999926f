// SPDX-License-Identifier: Apache-2.0
// What must hold on the disk however a scenario was interrupted.
import { existsSync, readFileSync, statSync } from "node:fs";
import { expect } from "vitest";
import { readHealth } from "../../src/health.ts";
import { oldKeyFile } from "../../src/store/key.ts";
import { rotateKey } from "../../src/store/rotate.ts";
import {
  CALL,
  EXPIRED,
  HEAD,
  logOf,
  OLD,
  openTempSeen,
  type ScenarioName,
  TEXT,
  YOUNG,
} from "./store-scenarios.ts";
import { age, HOUR_MS, keyFileOf, makeText, openTempStore, stateDirOf } from "./temp-store.ts";

/** Entries that no interruption of the scenario may take. */
const MUST_STAY: Partial<Record<ScenarioName, readonly Uint8Array[]>> = {
  "save again": [TEXT],
  "save that sweeps": [YOUNG],
  load: [TEXT],
  "mark as revealed": [TEXT],
};

/** Right after the interruption: nothing half-made is taken for whole. */
export function expectHonest(name: ScenarioName, dir: string, saved: boolean): void {
  const keyFile = keyFileOf(dir);
  if (existsSync(keyFile)) expect(statSync(keyFile).size).toBe(32);
  if (name === "append") expectLines(dir);
  if (!existsSync(keyFile)) return;

  if (name === "rotate") expectAllOpen(dir, 2);
  const store = openTempStore(dir);
  const stay = MUST_STAY[name] ?? [];
  for (const text of [TEXT, YOUNG, ...OLD, ...EXPIRED]) {
    const loaded = store.load(store.id(text));
    if (loaded.status === "ok") expect(loaded.bytes).toEqual(text);
    else expect(loaded.reason).toMatch(/./);
    const torn = name === "save again over a torn entry" && text === TEXT;
    if (!torn) expect(loaded.status).toBeOneOf(["ok", "not_found", "expired"]);
    if (stay.includes(text) || (saved && text === TEXT)) expect(loaded.status).toBe("ok");
  }
  for (const bytes of [TEXT.slice(1), YOUNG])
    expect(openTempSeen(dir).find({ ...CALL, bytes })).toBeUndefined();
  expect(openTempSeen(dir).find({ ...CALL, agent: "other" })).toBeUndefined();
}

/** Whatever key the entries are under. */
function expectAllOpen(dir: string, count: number): void {
  const entries = openTempStore(dir).list();
  expect(entries.map(({ status }) => status)).toEqual(Array.from({ length: count }, () => "ok"));
  for (const { id } of entries) expect(openTempStore(dir).load(id).status).toBe("ok");
}

/** A rotation that was broken off is finished by the next. */
function expectRotatable(dir: string): void {
  const count = openTempStore(dir).list().length;
  rotateKey({ stateDir: stateDirOf(dir), keyFile: keyFileOf(dir) });
  expect(existsSync(oldKeyFile(keyFileOf(dir)))).toBe(false);
  expectAllOpen(dir, count);
}

function expectLines(dir: string): void {
  const lines = readFileSync(logOf(dir), "utf8")
    .split("\n")
    .filter((line) => line !== "");
  expect(lines[0]).toBe('{"row":1}');
  expect(lines[1] ?? '{"row":2}').toBe('{"row":2}');
  expect(lines.length).toBeLessThanOrEqual(2);
  expect(readHealth(stateDirOf(dir)).length).toBeLessThanOrEqual(1);
}

/** The next run works, whatever was left: store, sweep, seen index. */
export function expectUsable(dir: string): void {
  if (existsSync(oldKeyFile(keyFileOf(dir)))) expectRotatable(dir);
  const store = openTempStore(dir);
  const fresh = makeText("next run");
  for (const text of [TEXT, fresh]) {
    expect(store.load(store.save(text, HEAD))).toMatchObject({ status: "ok", bytes: text });
  }
  const folder = `${stateDirOf(dir)}/store`;
  if (existsSync(`${folder}/.lock`)) age(`${folder}/.lock`, HOUR_MS);
  if (existsSync(`${folder}/.swept`)) age(`${folder}/.swept`, 2 * HOUR_MS);
  expect(store.load(store.save(makeText("sweeping run"), HEAD)).status).toBe("ok");
  expect(existsSync(`${folder}/.lock`)).toBe(false);
  expect(store.unreadable()).toBe(0);
  for (const text of EXPIRED) expect(store.load(store.id(text)).status).toBeOneOf(["not_found", "expired"]);

  const seen = openTempSeen(dir);
  const call = { ...CALL, bytes: fresh, useId: "next" };
  seen.beginGeneration(CALL.session, { starts: true });
  expect(seen.find(CALL)).toBeUndefined();
  seen.pend(call);
  seen.promote(call);
  expect(seen.find(call)).toBeDefined();
}

// SPDX-License-Identifier: Apache-2.0
// A store in a temporary folder. Plain functions, so that child processes can use them too.
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, STORE_DEFAULTS, type Store, type StoreOptions } from "../../src/store/vault.ts";

export const MINUTE_MS = 60 * 1000;
export const HOUR_MS = 60 * MINUTE_MS;

export function makeTempDir(): string {
  return mkdtempSync(join(tmpdir(), "isthmos-store-"));
}

export function removeTempDir(dir: string): void {
  rmSync(dir, { recursive: true, force: true });
}

export function stateDirOf(dir: string): string {
  return join(dir, "state");
}

export function keyFileOf(dir: string): string {
  return join(dir, "data", "store.key");
}

export function openTempStore(dir: string, options: Partial<StoreOptions> = {}): Store {
  return openStore({ ...STORE_DEFAULTS, stateDir: stateDirOf(dir), keyFile: keyFileOf(dir), ...options });
}

export function entryPath(dir: string, id: string): string {
  return join(stateDirOf(dir), "store", `${id}.bin`);
}

/** Sets a file's time to so many ms ago. */
export function age(path: string, ms: number): void {
  const then = (Date.now() - ms) / 1000;
  utimesSync(path, then, then);
}

export function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

/** Everything below a folder as relative paths, sorted. */
export function listAll(dir: string): string[] {
  return readdirSync(dir, { recursive: true }).map(String).sort();
}

export function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** A text of its own for each seed, of `length` bytes. */
export function makeText(seed: string, length = 6000): Uint8Array {
  return encode(`${seed}: a line of some output\n`.repeat(Math.ceil(length / 20))).slice(0, length);
}

// SPDX-License-Identifier: Apache-2.0
// What failed open, as codes: fail open, never silent. No free text, no payload, no path. Two files at most, the
// live one and the one before it.
import { join } from "node:path";
import { appendLine, makePrivateDir, readFile, rename, stat } from "./files.ts";
import { cleanName } from "./report.ts";

/** Every code with what it means; the words of `doctor` and of docs/formats.md. */
export const HEALTH_CODES = [
  { code: "input_invalid", meaning: "the input was no event or payload that isthmos knows" },
  { code: "input_unreadable", meaning: "the input could not be read to its end" },
  { code: "input_too_large", meaning: "the input was above the payload bound" },
  { code: "budget", meaning: "the time budget ran out" },
  { code: "rules_unreadable", meaning: "the rules file could not be read" },
  { code: "rules_invalid", meaning: "the rules file, or a rule in it, is not valid" },
  { code: "key_unusable", meaning: "the key cannot be used: its file, the keychain or the passphrase" },
  {
    code: "key_replaced",
    meaning: "the key was missing, so a new one was made; older originals cannot be opened",
  },
  { code: "store_failed", meaning: "an original could not be stored, so the result was left whole" },
  { code: "store_foreign", meaning: "the store folder is a link or belongs to another user" },
  { code: "log_failed", meaning: "the measurement log could not be written" },
  { code: "seen_failed", meaning: "the seen index could not be read or written" },
  { code: "spill_unreadable", meaning: "the host's file of a spilled result could not be read" },
  { code: "encode_failed", meaning: "the answer for the host could not be made" },
  { code: "output_failed", meaning: "the output could not be written, as where the disk is full" },
  { code: "child_failed", meaning: "the process that a server started for a large event gave no answer" },
  { code: "server_lost", meaning: "a resident server ended without its end: killed, or out of memory" },
  { code: "usage", meaning: "a flag or argument was wrong" },
  { code: "internal", meaning: "an unexpected error inside isthmos" },
] as const;

export type HealthCode = (typeof HEALTH_CODES)[number]["code"];

/** Whom a failure concerned. */
export interface HealthContext {
  readonly host?: string;
  readonly tool?: string;
}

export interface HealthRow extends HealthContext {
  /** ISO 8601, UTC. */
  readonly ts: string;
  readonly code: HealthCode;
}

/** A few thousand rows; past it a file becomes the old one, so that two of them bound the record. */
const HEALTH_MAX_BYTES = 256 * 1024;
const CODES: ReadonlySet<string> = new Set(HEALTH_CODES.map(({ code }) => code));

/** Adds one row. Never throws: a record that cannot be written must not cost the call. */
export function recordHealth(stateDir: string, code: HealthCode, context: HealthContext = {}): void {
  try {
    const { host, tool } = context;
    const row: HealthRow = {
      ts: new Date().toISOString(),
      code,
      ...(host !== undefined && { host: cleanName(host) }),
      ...(tool !== undefined && { tool: cleanName(tool) }),
    };
    makePrivateDir(stateDir);
    const file = healthFile(stateDir);
    const size = appendLine(file, JSON.stringify(row));
    // The second look keeps a process that comes late from renaming the fresh file over the full one.
    if (size > HEALTH_MAX_BYTES && (stat(file)?.size ?? 0) > HEALTH_MAX_BYTES)
      rename(file, oldFile(stateDir));
  } catch {
    // Nothing is left to tell it to.
  }
}

/** All rows, newest last. Broken lines, unknown codes and files that cannot be read are left out. */
export function readHealth(stateDir: string): HealthRow[] {
  return [oldFile(stateDir), healthFile(stateDir)].flatMap(readRows);
}

/** The file that rows are added to. */
export function healthFile(stateDir: string): string {
  return join(stateDir, "health.jsonl");
}

function oldFile(stateDir: string): string {
  return `${healthFile(stateDir)}.1`;
}

function readRows(path: string): HealthRow[] {
  try {
    const bytes = readFile(path, { maxBytes: 2 * HEALTH_MAX_BYTES, follow: true });
    const lines = bytes === undefined ? [] : new TextDecoder().decode(bytes).split("\n");
    return lines.map(parseRow).filter((row) => row !== undefined);
  } catch {
    return [];
  }
}

function parseRow(line: string): HealthRow | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const row = new Map<string, unknown>(Object.entries(value));
  const ts = row.get("ts");
  const code = row.get("code");
  if (typeof ts !== "string" || typeof code !== "string" || !isCode(code)) return undefined;
  const host = row.get("host");
  const tool = row.get("tool");
  return { ts, code, ...(typeof host === "string" && { host }), ...(typeof tool === "string" && { tool }) };
}

function isCode(text: string): text is HealthCode {
  return CODES.has(text);
}

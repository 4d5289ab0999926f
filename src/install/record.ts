// SPDX-License-Identifier: Apache-2.0
// The install record: what `init` changed, so that `uninstall` can give the very bytes back. A record that is lost or
// broken only costs that: entries of ours are then found by looking.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { decodeUtf8 } from "../core/utf8.ts";
import { makePrivateDir, readFile, remove, writeAtomic } from "../files.ts";
import { SCOPES, type Scope } from "../hosts/installer.ts";
import { isRecord, parseText } from "../jsonc/document.ts";
import { splitMark } from "../jsonc/edit.ts";
import { explain } from "./install-error.ts";

/** One place where isthmos is wired. */
export interface Wired {
  readonly agent: string;
  readonly scope: Scope;
  /** The project's; left out for the user's scope. */
  readonly folder?: string;
}

export interface FileRecord {
  /** Links followed. */
  readonly path: string;
  /** Hash of the bytes before the first change; null: there was no file; left out: they cannot be given back. */
  readonly before?: string | null;
  /** Hash of the bytes after the last change. */
  readonly after: string;
  /** Copies, oldest first. They are named here before they are made, so one may be missing or not whole. */
  readonly backups: readonly string[];
  /** Folders made for it, or about to be, outermost first. */
  readonly folders: readonly string[];
  /** Keys of the places that have entries in it. */
  readonly places: readonly string[];
}

export interface InstallRecord {
  readonly wired: readonly Wired[];
  readonly files: readonly FileRecord[];
  /** The rules file, if `init` wrote it: its hash then. */
  readonly rules?: { readonly path: string; readonly hash: string };
}

const MAX_BYTES = 4 * 1024 * 1024;
export const NO_RECORD: InstallRecord = { wired: [], files: [] };

export function recordFile(stateDir: string): string {
  return join(stateDir, "installs.json");
}

/** Tells one place from another. */
export function placeKey({ agent, scope, folder }: Wired): string {
  return folder === undefined || scope === "user" ? `${agent} ${scope}` : `${agent} ${scope} ${folder}`;
}

export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The record; an empty one where there is none that can be read. Never throws. */
export function readRecord(stateDir: string): InstallRecord {
  try {
    return loadRecord(stateDir);
  } catch {
    return NO_RECORD;
  }
}

/** The record; an empty one where there is none, or it is broken. Throws InstallError where it cannot be read. */
export function loadRecord(stateDir: string): InstallRecord {
  const bytes = readRecordBytes(recordFile(stateDir));
  try {
    const value: unknown = bytes && JSON.parse(decodeUtf8(bytes) ?? "");
    return isRecord(value) ? parseRecord(value) : NO_RECORD;
  } catch {
    return NO_RECORD;
  }
}

// One that is there and cannot be read is not lost: to go on without it would cost the exact bytes.
function readRecordBytes(path: string): Uint8Array | undefined {
  try {
    return readFile(path, { maxBytes: MAX_BYTES });
  } catch (error) {
    throw explain(error, `cannot read the install record ${path}`);
  }
}

/** Writes the record, or removes it where it says nothing. Throws the errno error of the file system. */
export function writeRecord(stateDir: string, { wired, files, rules }: InstallRecord): void {
  const path = recordFile(stateDir);
  if (wired.length === 0 && files.length === 0 && rules === undefined) {
    remove(path);
    return;
  }
  makePrivateDir(stateDir);
  const text = `${JSON.stringify({ version: 1, wired, files, rules }, undefined, 2)}\n`;
  writeAtomic(path, new TextEncoder().encode(text), { sync: true });
}

/** The bytes before `init`, if they can be given back: `bytes` undefined means that there was no file. */
export function bytesBefore({
  before,
  backups,
}: FileRecord): { readonly bytes: Uint8Array | undefined } | undefined {
  if (before === null) return { bytes: undefined };
  if (before === undefined) return undefined;
  for (const copy of backups) {
    const bytes = tryRead(copy);
    if (bytes !== undefined && hashOf(bytes) === before) return { bytes };
  }
  return undefined;
}

/** The text before the first change, for what stood in it; undefined where no copy tells. */
export function textBefore(file: FileRecord): string | undefined {
  const exact = bytesBefore(file);
  if (exact !== undefined) return new TextDecoder().decode(exact.bytes ?? new Uint8Array());
  // Where another program wrote between two runs of `init`, the oldest copy still tells.
  const oldest = file.backups.map(tryRead).find((bytes) => bytes !== undefined);
  const text = oldest && decodeUtf8(oldest);
  try {
    parseText(splitMark(text ?? "").body);
    return text;
  } catch {
    return undefined;
  }
}

function tryRead(path: string): Uint8Array | undefined {
  try {
    return readFile(path, { maxBytes: Number.MAX_SAFE_INTEGER });
  } catch {
    return undefined;
  }
}

function parseRecord({ wired, files, rules }: Readonly<Record<string, unknown>>): InstallRecord {
  return {
    wired: listOf(wired, parseWired),
    files: listOf(files, parseFile),
    ...(isRecord(rules) &&
      typeof rules.path === "string" &&
      typeof rules.hash === "string" && { rules: { path: rules.path, hash: rules.hash } }),
  };
}

function parseWired({ agent, scope, folder }: Readonly<Record<string, unknown>>): Wired | undefined {
  const known = SCOPES.find((name) => name === scope);
  if (typeof agent !== "string" || known === undefined) return undefined;
  return { agent, scope: known, ...(typeof folder === "string" && { folder }) };
}

function parseFile(value: Readonly<Record<string, unknown>>): FileRecord | undefined {
  const { path, before, after } = value;
  if (typeof path !== "string" || typeof after !== "string") return undefined;
  return {
    path,
    ...((typeof before === "string" || before === null) && { before }),
    after,
    backups: textsOf(value.backups),
    folders: textsOf(value.folders),
    places: textsOf(value.places),
  };
}

function listOf<T>(value: unknown, parse: (item: Readonly<Record<string, unknown>>) => T | undefined): T[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown) => (isRecord(item) ? (parse(item) ?? []) : []));
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

// SPDX-License-Identifier: Apache-2.0
// The install record: what `init` changed, so that `uninstall` can give the very bytes back. A record that is lost or
// broken only costs that: entries of ours are then found by looking.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { decodeUtf8 } from "../core/utf8.ts";
import { makePrivateDir, readFile, remove, writeAtomic } from "../files.ts";
import { SCOPES, type Scope } from "../hosts/installer.ts";
import { isRecord } from "../jsonc/document.ts";

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
  /** Copies made, oldest first; the first is that of `before`. */
  readonly backups: readonly string[];
  /** Folders made for it, outermost first. */
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
    const bytes = readFile(recordFile(stateDir), { maxBytes: MAX_BYTES });
    const value: unknown = bytes && JSON.parse(decodeUtf8(bytes) ?? "");
    return isRecord(value) ? parseRecord(value) : NO_RECORD;
  } catch {
    return NO_RECORD;
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

// SPDX-License-Identifier: Apache-2.0
// Wiring: plan, copies and record, then the files. What cannot be done whole is not done at all.
import { dirname } from "node:path";
import type { Env } from "../env.ts";
import type { FileEdit, FoundClient } from "../hosts/installer.ts";
import { type Change, type Done, makeChange, prepare } from "./changes.ts";
import { makeCopy, nameCopy, sweepTemps } from "./copies.ts";
import { ChangedError, explain } from "./install-error.ts";
import {
  bytesBefore,
  type FileRecord,
  hashOf,
  type InstallRecord,
  loadRecord,
  placeKey,
  recordFile,
  type Wired,
  writeRecord,
} from "./record.ts";
import { makeFolders, missingFolders, removeFolders, tryRemove } from "./target.ts";
import { Undo } from "./undo.ts";

export interface InstallOptions {
  readonly place: Wired;
  readonly env: Env;
  readonly client: FoundClient | undefined;
  readonly now: Date;
  readonly dryRun: boolean;
}

/** What became, or would become, of one file. */
export interface Outcome {
  readonly change: Change;
  readonly byClient: boolean;
  readonly backup?: string;
}

/**
 * Makes the edits of the agent's files, and that of the rules file, which is the user's: neither copied nor given
 * back. A file that changes meanwhile is read again, once. Throws InstallError; then nothing is changed.
 */
export async function install(
  edits: readonly FileEdit[],
  rules: FileEdit,
  options: InstallOptions,
): Promise<readonly Outcome[]> {
  try {
    return await installOnce(edits, rules, options);
  } catch (error) {
    if (!(error instanceof ChangedError)) throw error;
    return installOnce(edits, rules, options);
  }
}

async function installOnce(
  edits: readonly FileEdit[],
  rules: FileEdit,
  options: InstallOptions,
): Promise<readonly Outcome[]> {
  const { env, client, dryRun } = options;
  const changes = [rules, ...edits].map((edit) => prepare(edit));
  const toChange = changes.filter(({ isChange }) => isChange);
  if (!dryRun) {
    for (const path of [recordFile(env.stateDir.value), ...changes.map(({ target }) => target.real)])
      sweepTemps(path);
  }
  if (dryRun || toChange.length === 0) {
    return changes.map((change) => ({ change, byClient: client !== undefined && hasCommands(change) }));
  }
  const undo = new Undo();
  const backups = new Map<Change, string>();
  try {
    let record = noteFiles(toChange, rules, options, backups, undo);
    const done: Done[] = [];
    for (const change of toChange) done.push(await makeChange(change, client, env, undo));
    record = noteDone(record, done, rules);
    writeRecord(env.stateDir.value, record);
    return changes.map((change): Outcome => {
      const backup = backups.get(change);
      const byClient = done.some((one) => one.change === change && one.byClient);
      return { change, byClient, ...(backup !== undefined && { backup }) };
    });
  } catch (error) {
    undo.run();
    throw explain(error, `cannot write the install record in ${env.stateDir.value}`);
  }
}

/**
 * Writes down how to give the files back, then copies them, before the first is touched: a run that is ended in between
 * leaves nothing that the next one does not know.
 */
function noteFiles(
  toChange: readonly Change[],
  rules: FileEdit,
  { place, env, now }: InstallOptions,
  backups: Map<Change, string>,
  undo: Undo,
): InstallRecord {
  const stateDir = env.stateDir.value;
  const record = loadRecord(stateDir);
  const files = new Map(record.files.map((file) => [file.path, file]));
  const noted = toChange.filter(({ edit, after }) => edit !== rules && after !== undefined);
  for (const change of noted) {
    const { target, after } = change;
    const known = files.get(target.real);
    const hash = target.bytes && hashOf(target.bytes);
    const isOurs = known !== undefined && (hash === known.after || hash === known.before);
    const isCopied = isOurs && (hash === known.after || bytesBefore(known) !== undefined);
    if (target.bytes !== undefined && !isCopied) backups.set(change, nameCopy(target, now));
    const backup = backups.get(change);
    // A file that is gone begins anew.
    const last = hash === undefined ? undefined : known;
    files.set(target.real, {
      path: target.real,
      ...beforeOf(last, isOurs, hash),
      after: after === undefined ? "" : hashOf(after),
      backups: [...(known?.backups ?? []), ...(backup === undefined ? [] : [backup])],
      folders: [...new Set([...(known?.folders ?? []), ...missingFolders(dirname(target.real))])],
      places: [...new Set([...(last?.places ?? []), placeKey(place)])],
    });
  }
  const wired = record.wired.filter((one) => placeKey(one) !== placeKey(place));
  const next = { ...record, wired: [...wired, place], files: [...files.values()] };
  undo.add(() => writeRecord(stateDir, record));
  writeRecord(stateDir, next);
  for (const change of noted) {
    const made = makeFolders(dirname(change.target.real), change.edit.isShared);
    undo.add(() => removeFolders(made));
    const copy = backups.get(change);
    if (copy === undefined) continue;
    makeCopy(copy, change.target);
    undo.add(() => tryRemove(copy));
  }
  return next;
}

// Between two runs of ours the first state counts; where another program wrote in between, none can be given back.
function beforeOf(
  known: FileRecord | undefined,
  isOurs: boolean,
  hash: string | undefined,
): Pick<FileRecord, "before"> {
  if (known === undefined) return { before: hash ?? null };
  return isOurs && known.before !== undefined ? { before: known.before } : {};
}

/** The record with what really stands in the files: the agent's program writes them in its own way. */
function noteDone(record: InstallRecord, done: readonly Done[], rules: FileEdit): InstallRecord {
  const hashes = new Map(
    done.map(({ change, bytes }) => [change.target.real, bytes && hashOf(bytes)] as const),
  );
  const files = record.files.map((file) => ({ ...file, after: hashes.get(file.path) ?? file.after }));
  const own = done.find(({ change }) => change.edit === rules);
  const { target } = own?.change ?? {};
  // Ours if it was not there, or was ours and unchanged.
  const wasOurs =
    target?.bytes === undefined ||
    (record.rules?.path === target.real && record.rules.hash === hashOf(target.bytes));
  if (own?.bytes === undefined || target === undefined || !wasOurs) return { ...record, files };
  return { ...record, files, rules: { path: target.real, hash: hashOf(own.bytes) } };
}

function hasCommands({ isChange, edit, target }: Change): boolean {
  const text = target.bytes && new TextDecoder("utf-8", { ignoreBOM: true }).decode(target.bytes);
  return isChange && (edit.commands?.(text).length ?? 0) > 0;
}

// SPDX-License-Identifier: Apache-2.0
// Taking the wiring away: a file that nobody else has touched since gets its very bytes back, from another one exactly
// our entries go.
import { dirname } from "node:path";
import type { Env } from "../env.ts";
import type { FileEdit, FoundClient, Installer, Place } from "../hosts/installer.ts";
import { type Change, makeChange, prepare } from "./changes.ts";
import { removeCopies, splitCopies, sweepTemps } from "./copies.ts";
import { ChangedError, explain } from "./install-error.ts";
import {
  bytesBefore,
  type FileRecord,
  hashOf,
  type InstallRecord,
  loadRecord,
  placeKey,
  recordFile,
  textBefore,
  type Wired,
  writeRecord,
} from "./record.ts";
import { makeFolders, missingFolders, readTarget, removeFolders } from "./target.ts";
import { Undo } from "./undo.ts";

export interface UninstallOptions {
  readonly env: Env;
  readonly client: FoundClient | undefined;
  readonly dryRun: boolean;
  /** Where to look: the places of the record among them. */
  readonly places: readonly { readonly installer: Installer; readonly wired: Wired; readonly place: Place }[];
}

/** What became, or would become, of one file. */
export interface Removal {
  readonly change: Change;
  /** As it was before `init`, byte for byte. */
  readonly isExact: boolean;
  readonly byClient: boolean;
  /** Copies that stay. */
  readonly backups: readonly string[];
}

/** Of a file that was changed: its hash before that and after it; undefined: no file. */
interface HashPair {
  readonly found: string | undefined;
  readonly left: string | undefined;
}
type Hashes = ReadonlyMap<string, HashPair>;

/** Takes everything of ours out of the agents' files. Throws InstallError; then nothing is changed. */
export async function uninstall(options: UninstallOptions): Promise<readonly Removal[]> {
  try {
    return await uninstallOnce(options);
  } catch (error) {
    if (!(error instanceof ChangedError)) throw error;
    return uninstallOnce(options);
  }
}

async function uninstallOnce(options: UninstallOptions): Promise<readonly Removal[]> {
  const { env, client, dryRun } = options;
  const stateDir = env.stateDir.value;
  const record = loadRecord(stateDir);
  const planned = planRemovals(options, record);
  const next = (hashes: Hashes) => withoutPlaces(record, options, hashes);
  if (dryRun) {
    const left = next(new Map());
    return planned.map((one) => ({ ...one, backups: splitOf(one, one.change.after, record, left).stay }));
  }
  sweepTemps(recordFile(stateDir));
  for (const { change } of planned) sweepTemps(change.target.real);
  sweepRulesTemps(env);
  const undo = new Undo();
  try {
    const hashes = new Map<string, HashPair>();
    const removals: { removal: Removal; bytes: Uint8Array | undefined }[] = [];
    for (const removal of planned) {
      const { isChange, target } = removal.change;
      if (!isChange) {
        removals.push({ removal, bytes: target.bytes });
        continue;
      }
      const { bytes, byClient } = await makeChange(
        removal.change,
        removal.isExact ? undefined : client,
        env,
        undo,
      );
      hashes.set(target.real, {
        found: target.bytes && hashOf(target.bytes),
        left: bytes && hashOf(bytes),
      });
      removals.push({ removal: { ...removal, byClient }, bytes });
    }
    // The record goes last: what it names is known to the next run until it is done.
    const left = next(hashes);
    const out = removals.map(({ removal, bytes }) => cleanUp(removal, bytes, record, left, undo));
    if (left !== record) writeRecord(stateDir, left);
    return out;
  } catch (error) {
    undo.run();
    throw explain(error, `cannot write the install record in ${stateDir}`);
  }
}

/** Removes the copies of a file that are spare by now, and folders that were made for it. */
function cleanUp(
  removal: Removal,
  bytes: Uint8Array | undefined,
  record: InstallRecord,
  left: InstallRecord,
  undo: Undo,
): Removal {
  const { target, edit } = removal.change;
  const file = record.files.find(({ path }) => path === target.real);
  const { stay, spare, isExact } = splitOf(removal, bytes, record, left);
  const backups = [...stay, ...removeCopies(spare, undo)];
  if (file !== undefined && file.folders.length > 0) {
    const folder = dirname(target.real);
    if (missingFolders(folder).length === 0) undo.add(() => makeFolders(folder, edit.isShared));
    removeFolders(file.folders);
  }
  return { ...removal, isExact, backups };
}

/** What becomes of a file's copies when `bytes` stand in it; none is judged while other places need them. */
function splitOf(
  { change, isExact }: Removal,
  bytes: Uint8Array | undefined,
  record: InstallRecord,
  left: InstallRecord,
): ReturnType<typeof splitCopies> & { readonly isExact: boolean } {
  const { target } = change;
  const isSame = ({ path }: FileRecord) => path === target.real;
  if (left.files.some(isSame)) return { stay: [], spare: [], isExact };
  const file = record.files.find(isSame);
  const hash = bytes === undefined ? null : hashOf(bytes);
  const isBefore = file?.before !== undefined && file.before === hash;
  return { ...splitCopies(target, file?.backups ?? [], bytes, isBefore), isExact: isBefore };
}

function sweepRulesTemps({ rulesFile }: Env): void {
  try {
    sweepTemps(readTarget(rulesFile.value).real);
  } catch {
    // A rules file that cannot be read is not ours to judge here.
  }
}

function planRemovals({ places }: UninstallOptions, record: InstallRecord): Removal[] {
  const keys = new Set(places.map(({ wired }) => placeKey(wired)));
  const fileOf = (path: string) => {
    const { real } = readTarget(path);
    return { real, file: record.files.find((one) => one.path === real) };
  };
  const before = (path: string) => {
    const { file } = fileOf(path);
    return file && textBefore(file);
  };
  const groups = new Map<string, { edits: FileEdit[]; file: FileRecord | undefined }>();
  for (const { installer, place } of places) {
    for (const edit of installer.uninstall(place, before)) {
      const { real, file } = fileOf(edit.path);
      const group = groups.get(real) ?? { edits: [], file };
      group.edits.push(edit);
      groups.set(real, group);
    }
  }
  return [...groups.values()].map(({ edits, file }): Removal => {
    const edit = joinEdits(edits, file);
    const exact = file?.places.every((key) => keys.has(key)) ? bytesBefore(file) : undefined;
    const now = readTarget(edit.path).bytes;
    const isExact = exact !== undefined && now !== undefined && file?.after === hashOf(now);
    const change = prepare(edit, isExact ? exact : undefined);
    return { change, isExact, byClient: false, backups: [] };
  });
}

/** All edits of one file as one; a file that `init` made and that is left with nothing goes. */
function joinEdits(edits: readonly FileEdit[], file: FileRecord | undefined): FileEdit {
  const [first] = edits;
  if (first === undefined) throw new RangeError("no edits to join");
  return {
    ...first,
    edit: (text) => {
      const out = edits.reduce<string | undefined>((so, { edit }) => edit(so), text);
      return out !== text && file?.before === null && /^\uFEFF?\s*\{\s*\}\s*$/.test(out ?? "")
        ? undefined
        : out;
    },
    commands: (text) => edits.flatMap(({ commands }) => commands?.(text) ?? []),
  };
}

function withoutPlaces(record: InstallRecord, { places }: UninstallOptions, hashes: Hashes): InstallRecord {
  const keys = new Set(places.map(({ wired }) => placeKey(wired)));
  const wired = record.wired.filter((one) => !keys.has(placeKey(one)));
  const files = record.files.flatMap((file) => {
    const left = file.places.filter((key) => !keys.has(key));
    if (left.length === 0) return [];
    const { before, ...rest } = file;
    const hash = hashes.get(file.path);
    // What another program wrote in the meantime is in the file now: the first state would be without that.
    const isKnown = before !== undefined && (hash === undefined || hash.found === file.after);
    return [{ ...rest, ...(isKnown && { before }), places: left, after: hash?.left ?? file.after }];
  });
  const isSame = wired.length === record.wired.length && files.length === record.files.length;
  return isSame && hashes.size === 0 ? record : { ...record, wired, files };
}

// SPDX-License-Identifier: Apache-2.0
// Taking the wiring away: a file that nobody else has touched since gets its very bytes back, from another one exactly
// our entries go.
import type { Env } from "../env.ts";
import { readFile } from "../files.ts";
import type { FileEdit, FoundClient, Installer, Place } from "../hosts/installer.ts";
import { type Change, makeChange, prepare, removeBackups } from "./changes.ts";
import { ChangedError, explain } from "./install-error.ts";
import {
  type FileRecord,
  hashOf,
  type InstallRecord,
  placeKey,
  readRecord,
  type Wired,
  writeRecord,
} from "./record.ts";
import { readTarget, removeFolders } from "./target.ts";
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
  const record = readRecord(env.stateDir.value);
  const removals = planRemovals(options, record);
  const toChange = removals.filter(({ change }) => change.isChange);
  if (dryRun) return removals;
  const undo = new Undo();
  try {
    const hashes = new Map<string, string | undefined>();
    const out: Removal[] = [];
    for (const removal of removals) {
      if (!toChange.includes(removal)) {
        out.push(removal);
        continue;
      }
      const done = await makeChange(removal.change, removal.isExact ? undefined : client, env, undo);
      hashes.set(removal.change.target.real, done.bytes && hashOf(done.bytes));
      // The agent's own file, which it keeps copies of itself.
      out.push({ ...removal, byClient: done.byClient, backups: done.byClient ? [] : removal.backups });
    }
    const next = withoutPlaces(record, options, hashes);
    if (next !== record) writeRecord(env.stateDir.value, next);
    for (const { change, isExact, byClient } of out) {
      const file = record.files.find(({ path }) => path === change.target.real);
      if (file === undefined) continue;
      if (isExact || byClient) removeBackups(file.backups);
      removeFolders(file.folders);
    }
    return out;
  } catch (error) {
    undo.run();
    throw explain(error, `cannot write the install record in ${env.stateDir.value}`);
  }
}

function planRemovals({ places }: UninstallOptions, record: InstallRecord): Removal[] {
  const keys = new Set(places.map(({ wired }) => placeKey(wired)));
  const fileOf = (path: string) => {
    const { real } = readTarget(path);
    return { real, file: record.files.find((one) => one.path === real) };
  };
  const before = (path: string) => textBefore(fileOf(path).file);
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
    return { change, isExact, byClient: false, backups: isExact ? [] : (file?.backups ?? []) };
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

/** The bytes before `init`, if they can be given back: `bytes` undefined means that there was no file. */
function bytesBefore({
  before,
  backups,
}: FileRecord): { readonly bytes: Uint8Array | undefined } | undefined {
  if (before === null) return { bytes: undefined };
  const [copy] = backups;
  if (before === undefined || copy === undefined) return undefined;
  try {
    const bytes = readFile(copy, { maxBytes: Number.MAX_SAFE_INTEGER });
    return bytes !== undefined && hashOf(bytes) === before ? { bytes } : undefined;
  } catch {
    return undefined;
  }
}

function textBefore(file: FileRecord | undefined): string | undefined {
  const before = file && bytesBefore(file);
  return before && new TextDecoder().decode(before.bytes ?? new Uint8Array());
}

function withoutPlaces(
  record: InstallRecord,
  { places }: UninstallOptions,
  hashes: ReadonlyMap<string, string | undefined>,
): InstallRecord {
  const keys = new Set(places.map(({ wired }) => placeKey(wired)));
  const wired = record.wired.filter((one) => !keys.has(placeKey(one)));
  const files = record.files.flatMap((file) => {
    const left = file.places.filter((key) => !keys.has(key));
    return left.length === 0 ? [] : [{ ...file, places: left, after: hashes.get(file.path) ?? file.after }];
  });
  const isSame = wired.length === record.wired.length && files.length === record.files.length;
  return isSame && hashes.size === 0 ? record : { ...record, wired, files };
}

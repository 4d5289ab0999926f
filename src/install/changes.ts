// SPDX-License-Identifier: Apache-2.0
// Changes of files: all worked out and checked before the first is written, each written whole, all taken back where
// one fails.
import { dirname } from "node:path";
import type { Env } from "../env.ts";
import type { FileEdit, FoundClient } from "../hosts/installer.ts";
import { JsoncError } from "../jsonc/document.ts";
import { runCommands } from "./client.ts";
import { InstallError } from "./install-error.ts";
import { hashOf } from "./record.ts";
import {
  checkWritable,
  makeFolders,
  readTarget,
  removeFolders,
  removeTarget,
  type Target,
  textOf,
  writeTarget,
} from "./target.ts";
import type { Undo } from "./undo.ts";

/** One file, before and after. */
export interface Change {
  readonly edit: FileEdit;
  readonly target: Target;
  /** Undefined: there is no file. */
  readonly after: Uint8Array | undefined;
  readonly isChange: boolean;
}

/** What was done to one file. */
export interface Done {
  readonly change: Change;
  /** The bytes that stand there now. */
  readonly bytes: Uint8Array | undefined;
  /** The agent's own program did it. */
  readonly byClient: boolean;
}

/** Reads a file and works its change out; `after` in place of the edit's, where it is known. Throws InstallError. */
export function prepare(edit: FileEdit, after?: { readonly bytes: Uint8Array | undefined }): Change {
  const target = readTarget(edit.path);
  const bytes = after === undefined ? editBytes(edit, target) : after.bytes;
  const isChange = !isSame(bytes, target.bytes);
  if (isChange) checkWritable(target);
  return { edit, target, after: bytes, isChange };
}

/** The bytes of a file after its edit. */
function editBytes(edit: FileEdit, target: Target): Uint8Array | undefined {
  const before = textOf(target);
  try {
    const text = edit.edit(before);
    if (text === before) return target.bytes;
    return text === undefined ? undefined : new TextEncoder().encode(text);
  } catch (error) {
    if (!(error instanceof JsoncError)) throw error;
    throw new InstallError(
      `${edit.path}: ${error.message}`,
      "correct that file, then try again; nothing was changed",
    );
  }
}

/** Makes one change, through the agent's own program where it can. Throws InstallError; `undo` gets the way back. */
export async function makeChange(
  change: Change,
  client: FoundClient | undefined,
  env: Env,
  undo: Undo,
): Promise<Done> {
  const { edit, target } = change;
  const commands = edit.commands?.(textOf(target)) ?? [];
  if (client !== undefined && commands.length > 0) {
    undo.add(() => putBack(target, edit.isShared));
    await runCommands(client, commands, env);
    const now = prepare(edit);
    // What it left undone, or did half, the edit does.
    if (!now.isChange) return { change, bytes: now.target.bytes, byClient: true };
    return write(now, undo);
  }
  return write(change, undo);
}

function write(change: Change, undo: Undo): Done {
  const { edit, target, after } = change;
  if (after === undefined) {
    removeTarget(target);
  } else {
    const made = makeFolders(dirname(target.real), edit.isShared);
    undo.add(() => removeFolders(made));
    writeTarget(target, after, edit.isShared);
  }
  undo.add(() => {
    const now = readTarget(target.real);
    // What another program wrote since is not ours to take back.
    if (isSame(now.bytes, after)) putBack({ ...target, path: now.path }, edit.isShared);
  });
  return { change, bytes: after, byClient: false };
}

function putBack(target: Target, isShared: boolean): void {
  const now = readTarget(target.real);
  if (isSame(now.bytes, target.bytes)) return;
  if (target.bytes === undefined) removeTarget(now);
  else writeTarget({ ...now, stats: target.stats }, target.bytes, isShared);
}

function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return hashOf(one) === hashOf(other);
}

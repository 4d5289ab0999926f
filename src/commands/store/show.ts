// SPDX-License-Identifier: Apache-2.0
// `isthmos store show ID`: what is known of one original. Its text is what `isthmos reveal` is for.
import type { Env } from "../../env.ts";
import type { Io } from "../../io.ts";
import { cleanName, reportError } from "../../report.ts";
import { readSetup } from "../../setup.ts";
import type { Entry } from "../../store/entries.ts";
import { openStore } from "../../store/vault.ts";
import { formatTime, toJson } from "./describe.ts";

/** Exit code 0, or 1 where there is no such original, or it cannot be opened. */
export function run({ id, json }: { readonly id: string; readonly json: boolean }, env: Env, io: Io): number {
  const store = openStore(readSetup(env).store);
  const refuse = (status: string, reason: string, hint: string) => {
    if (json) io.stdout(`${JSON.stringify({ id: cleanName(id), status, reason, hint })}\n`);
    else reportError(reason, hint);
    return 1;
  };
  const found = store.find(id);
  if (!("id" in found)) return refuse(found.status, found.problem, found.hint);
  const entry = store.list().find((known) => known.id === found.id);
  if (entry === undefined) {
    // The store says why: gone, never there, or not to be looked at.
    const loaded = store.load(found.id);
    if (loaded.status === "ok") return refuse("not_found", "it is being removed or saved", "try again");
    return refuse(loaded.status, loaded.reason, loaded.hint);
  }
  if (json) io.stdout(`${JSON.stringify(toJson(entry), undefined, 2)}\n`);
  else for (const [name, value] of describe(entry)) io.stdout(`${name.padEnd(NAME_WIDTH)}  ${value}\n`);
  return entry.status === "unavailable" ? 1 : 0;
}

const NAME_WIDTH = "file bytes".length;

function describe({ id, status, renewedAt, expiresAt, fileBytes, head, reason }: Entry): [string, string][] {
  return [
    ["id", id],
    ["status", reason === undefined ? status : `${status}: ${reason}`],
    ...(head === undefined
      ? []
      : ([
          ["tool", cleanName(head.tool)],
          ["kind", cleanName(head.kind)],
          ["bytes", String(head.bytes)],
          ["saved", formatTime(head.savedAt)],
        ] satisfies [string, string][])),
    ["file bytes", String(fileBytes)],
    ["renewed", formatTime(renewedAt)],
    ["expires", formatTime(expiresAt)],
  ];
}

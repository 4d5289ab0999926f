// SPDX-License-Identifier: Apache-2.0
// `isthmos store list`: what is stored, newest first. Foreign names are cleaned; no payload.
import type { Env } from "../../env.ts";
import type { Io } from "../../io.ts";
import { formatBytes, formatCount } from "../../measure/units.ts";
import { cleanName, reportError } from "../../report.ts";
import { readSetup } from "../../setup.ts";
import type { Entry } from "../../store/entries.ts";
import { openStore } from "../../store/vault.ts";
import { formatAge, formatTime, toJson } from "./describe.ts";

const HEAD = ["ID", "SAVED", "AGE", "FILE", "SIZE", "KIND", "TOOL"] as const;

/** Exit code 0, or 1 where the store cannot be looked at. */
export function run({ json }: { readonly json: boolean }, env: Env, io: Io): number {
  const store = openStore(readSetup(env).store);
  const { problem } = store.stats();
  if (problem !== undefined) {
    if (json) io.stdout(`${JSON.stringify({ status: "unavailable", reason: problem, entries: [] })}\n`);
    else reportError(problem, "run isthmos doctor");
    return 1;
  }
  const entries = store.list();
  const total = entries.reduce((sum, { fileBytes }) => sum + fileBytes, 0);
  if (json) {
    const answer = { status: "ok", file_bytes: total, entries: entries.map(toJson) };
    io.stdout(`${JSON.stringify(answer, undefined, 2)}\n`);
  } else if (entries.length === 0) io.stdout("nothing is stored\n");
  else
    io.stdout(
      `${formatTable(entries, Date.now())}\n${formatCount(entries.length, "original")}, ${formatBytes(total)}\n`,
    );
  return 0;
}

function formatTable(entries: readonly Entry[], now: number): string {
  const rows = [HEAD, ...entries.map((entry) => toRow(entry, now))];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
  return lines.map((line) => line.trimEnd()).join("\n");
}

function toRow({ id, status, renewedAt, fileBytes, head, reason }: Entry, now: number): string[] {
  const known = [id, formatTime(renewedAt), formatAge(now - renewedAt), formatBytes(fileBytes)];
  if (head === undefined) return [...known, "", "", `(${reason ?? status})`];
  const mark = status === "expired" ? " (expired)" : "";
  return [...known, formatBytes(head.bytes), cleanName(head.kind), cleanName(head.tool) + mark];
}

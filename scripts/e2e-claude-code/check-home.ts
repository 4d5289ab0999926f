// SPDX-License-Identifier: Apache-2.0
// What must hold in the home after a run: transcripts without hook errors, `stats` with the sizes that the model
// got, a `doctor` that is content, the `filter` command in agreement with the hook, and every original given back.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { originalTexts, undecorate } from "./check-call.ts";
import { splitLines } from "./check-text.ts";
import { type Delivered, type Part, readDelivered } from "./delivered.ts";
import { at, type Json, listOf, textAt, tryParse } from "./json.ts";
import { citedIds, readMark } from "./marks.ts";
import { type Command, runIsthmos } from "./product.ts";
import type { PlacedCall, Scenario } from "./scenario.ts";
import { readTranscripts, type Transcripts } from "./transcripts.ts";

export interface Outcome extends PlacedCall {
  readonly control: Delivered;
  readonly live: Delivered;
}

/** Faults of the home after the run. */
export function checkHome(scenario: Scenario, outcomes: readonly Outcome[], command: Command): string[] {
  const home = command.env.HOME ?? "";
  const transcripts = readTranscripts(home, scenario.after !== "broken");
  const faults = checkTranscripts(outcomes, transcripts);
  if (scenario.after === "live") faults.push(...checkStats(outcomes, transcripts, command));
  else faults.push(...checkUntouchedHome(scenario, outcomes, command, home));
  const doctor = runIsthmos(command, ["doctor", "--json"]);
  const expected = scenario.after === "broken" ? 1 : 0;
  if (doctor.code !== expected || tryParse(doctor.stdout) === undefined) {
    faults.push(`doctor: exit ${doctor.code}, ${expected} expected: ${doctor.stdout}${doctor.stderr}`);
  }
  if (scenario.after !== "live") return faults;
  // What was given back is exempt from rules for an hour, so `filter` goes first.
  const wasRevealed = outcomes.some(({ call }) => ["revealed", "recovered"].includes(call.expect.kind));
  if (!wasRevealed) faults.push(...outcomes.flatMap((outcome) => checkFilter(outcome, command)));
  return [...faults, ...outcomes.flatMap((outcome) => checkReveal(outcome, command))];
}

function checkTranscripts(
  outcomes: readonly Outcome[],
  { faults, answered, subagents }: Transcripts,
): string[] {
  const agents = outcomes.filter(({ call }) => call.tool === "Agent").length;
  const more = subagents === agents ? [] : [`${subagents} transcripts of sub-agents, ${agents} expected`];
  for (const { key, id, control, live } of outcomes) {
    const isChanged = textOf(control) !== textOf(live);
    if (isChanged && !answered.has(id) && !isRevealed(outcomes, id))
      more.push(`${key}: changed, but by no hook`);
    if (!isChanged && answered.has(id)) more.push(`${key}: the hook answered, but nothing changed`);
  }
  return [...faults, ...more];
}

function isRevealed(outcomes: readonly Outcome[], id: string): boolean {
  return outcomes.some(
    (outcome) => outcome.id === id && ["revealed", "recovered"].includes(outcome.call.expect.kind),
  );
}

function textOf({ parts }: Delivered): string {
  return JSON.stringify(parts.map(({ text }) => text));
}

/** `stats` must show, tool by tool, the bytes that the model got, as the client itself reported them. */
function checkStats(outcomes: readonly Outcome[], { results }: Transcripts, command: Command): string[] {
  const { code, stdout, stderr } = runIsthmos(command, ["stats", "--json"]);
  const rows = listOf(at(tryParse(stdout), "live", "tools"));
  if (code !== 0 || rows.length === 0) return [`stats: exit ${code}, no tools: ${stdout}${stderr}`];
  const faults: string[] = [];
  for (const tool of new Set(outcomes.map(({ call }) => call.tool))) {
    const calls = outcomes.filter(({ call }) => call.tool === tool);
    const row = rows.find((candidate) => textAt(candidate, "tool") === tool);
    const bytes = calls.reduce((sum, outcome) => sum + deliveredBytes(outcome, results.get(outcome.id)), 0);
    // The client reports its own notices before it trims their last line end.
    const notices = calls.filter(({ call }) => call.expect.kind === "untouched").length;
    const [shownCalls, delivered, out] = ["calls", "delivered", "out"].map((field) => Number(at(row, field)));
    const isRight = out !== undefined && out >= bytes && out <= bytes + notices;
    if (shownCalls !== calls.length || delivered !== calls.length || !isRight) {
      faults.push(
        `stats of ${tool}: ${calls.length} calls and as many delivered, ${bytes} bytes out expected: ${JSON.stringify(row)}`,
      );
    }
  }
  return faults;
}

/** Without line numbers and "Found N files"; a note of the client counts. */
function deliveredBytes({ call }: Outcome, block: Json | undefined): number {
  const { parts } = readDelivered(block ?? {});
  const texts = parts.filter(({ isText }) => isText).map(({ raw }) => undecorate(call.tool, raw));
  return Buffer.byteLength(texts.join("\n"));
}

/** Nothing was changed, so nothing may be stored; shadow mode has measured all the same. */
function checkUntouchedHome(
  scenario: Scenario,
  outcomes: readonly Outcome[],
  command: Command,
  home: string,
): string[] {
  const faults: string[] = [];
  const store = join(home, ".local/state/isthmos/store");
  if (existsSync(store) && readdirSync(store).some((name) => name.endsWith(".bin")))
    faults.push("something is stored");
  if (scenario.after === "broken") return faults;
  const sums = tryParse(runIsthmos(command, ["stats", "--json"]).stdout);
  const calls = (section: string) => Number(at(sums, section, "total", "calls") ?? 0);
  const expected = scenario.after === "shadow" ? outcomes.length : 0;
  if (calls("live") !== 0 || calls("shadow") !== expected) {
    faults.push(
      `stats: ${calls("live")} live and ${calls("shadow")} shadow calls, 0 and ${expected} expected`,
    );
  }
  const saved = Number(at(sums, "shadow", "total", "saved") ?? 0);
  if (scenario.after === "shadow" && !(saved > 0))
    faults.push(`stats: shadow mode would save ${saved} bytes`);
  return faults;
}

/** `filter -tool NAME` is the same treatment of the same text, where the host adds no limits of its own. */
function checkFilter({ call, key, control, live }: Outcome, command: Command): string[] {
  if (!["lines", "items", "runs", "blocks"].includes(call.expect.kind)) return [];
  const originals = originalTexts(call, control);
  return originalTexts(call, live).flatMap((text, index) => {
    const original = originals[index] ?? "";
    if (text === original) return [];
    const { stdout, code } = runIsthmos(command, ["filter", "-tool", call.tool], original);
    return code === 0 && stdout === text
      ? []
      : [`${key}: filter gives another text than the hook: ${clip(stdout)}`];
  });
}

/** What a marker cites is the original, and its range is what is missing. */
function checkReveal({ call, key, control, live }: Outcome, command: Command): string[] {
  const { expect } = call;
  if (live.failed || expect.kind === "revealed" || expect.kind === "recovered") return [];
  if (expect.kind === "excerpt") return checkWhole(expect.originalBytes, key, live, command);
  const originals = originalTexts(call, control);
  return live.parts.flatMap((part, index) => {
    const ids = citedIds(part.text);
    const [id] = ids;
    if (id === undefined) return [];
    const original = originals[index] ?? "";
    const { stdout, code, stderr } = runIsthmos(command, ["reveal", id]);
    if (code !== 0 || stdout !== original)
      return [`${key}: reveal ${id}: exit ${code}: ${stderr}${clip(stdout)}`];
    return call.expect.kind === "again" ? [] : checkHole(key, id, part, original, command);
  });
}

/** The client shows only the beginning of what it spilled: the original is known by its size. */
function checkWhole(bytes: number, key: string, live: Delivered, command: Command): string[] {
  const [id = ""] = citedIds(live.parts.map(({ text }) => text).join("\n"));
  const { stdout, code } = runIsthmos(command, ["reveal", id]);
  const given = Buffer.byteLength(stdout);
  return code === 0 && given === bytes
    ? []
    : [`${key}: reveal ${id}: exit ${code}, ${given} bytes, not ${bytes}`];
}

function checkHole(key: string, id: string, part: Part, original: string, command: Command): string[] {
  const marks = part.text.split("\n").map((line) => readMark(line.replace(/^\d+\t/, "").replace(/\r$/, "")));
  const mark = marks.findLast((candidate) => candidate?.kind === "cut" && candidate.unit === "lines");
  if (mark === undefined) return [];
  const { stdout, code } = runIsthmos(command, ["reveal", id, "--lines", `${mark.from}:${mark.to}`]);
  const hole = splitLines(original).slice(mark.from - 1, mark.to);
  return code === 0 && splitLines(stdout).join("\n") === hole.join("\n")
    ? []
    : [`${key}: reveal ${id} --lines ${mark.from}:${mark.to}: exit ${code}: ${clip(stdout)}`];
}

function clip(text: string): string {
  return JSON.stringify(text.length > 2000 ? `${text.slice(0, 2000)}…` : text);
}

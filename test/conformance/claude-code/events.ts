// SPDX-License-Identifier: Apache-2.0
// Recorded-like events by name, and the simplest rewrite of what they hold.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CutMarker } from "../../../src/core/marker.ts";
import { type ClaudeCall, claudeCode } from "../../../src/hosts/claude-code/hook.ts";
import type { HostEvent, Region, Rewrite } from "../../../src/hosts/host.ts";

const FIXTURES = join(import.meta.dirname, "fixtures");
const CLIENT = "2.1.332";
export const ID = "0123456789abcdef";

/** Names of all fixtures, version included. */
export function fixtureNames(): string[] {
  return readdirSync(FIXTURES).map((name) => name.replace(/\.json$/, ""));
}

/** The event's bytes as the client would write them to stdin. */
export function loadFixture(name: string): Uint8Array {
  return readFileSync(join(FIXTURES, `${name}-${CLIENT}.json`));
}

/** What decode makes of a fixture; throws where that is not a result. */
export function loadCall(name: string): ClaudeCall {
  return callOf(claudeCode.decode(loadFixture(name)));
}

export function callOf(event: HostEvent<ClaudeCall> | undefined): ClaudeCall {
  if (event?.kind !== "result") throw new Error(`expected a result, got ${event?.kind}`);
  return event.call;
}

export function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

export function textsOf(call: ClaudeCall): string[] {
  return call.regions.map((region) => textOf(region.bytes));
}

/** The `tool_response` that was received, parsed. */
export function receivedOf(call: ClaudeCall): unknown {
  return JSON.parse(textOf(call.event.subarray(call.response.start, call.response.end)));
}

/** Keeps the first `lines` lines of a region and puts a marker in place of the rest. */
export function keepLines(region: Region, lines: number): Rewrite {
  const text = textOf(region.bytes);
  const total = text.replace(/\n$/, "").split("\n").length;
  const head = text.split("\n").slice(0, lines).join("\n");
  const start = new TextEncoder().encode(head).length;
  const marker: CutMarker = {
    kind: "cut",
    unit: "lines",
    count: total - lines,
    total,
    from: lines + 1,
    to: total,
  };
  return { splices: [{ start, end: region.bytes.length, insert: ["\n", marker] }], id: ID };
}

/** The marker that `keepLines` leaves. */
export function markerText(count: number, total: number): string {
  return `[isthmos: ${count} of ${total} lines truncated, lines ${total - count + 1}-${total}, full: isthmos reveal ${ID}]`;
}

/** The value of `updatedToolOutput` in the answer. */
export function answerWith(call: ClaudeCall, rewrites: readonly (Rewrite | undefined)[]): unknown {
  const answer: unknown = JSON.parse(textOf(claudeCode.encode(call, rewrites)));
  if (typeof answer !== "object" || answer === null || !("hookSpecificOutput" in answer))
    throw new Error("no answer");
  const { hookSpecificOutput: output } = answer;
  if (typeof output !== "object" || output === null || !("updatedToolOutput" in output))
    throw new Error("no output");
  return output.updatedToolOutput;
}

/** Cuts every region to one line. */
export function cutAll(call: ClaudeCall): Rewrite[] {
  return call.regions.map((region) => keepLines(region, 1));
}

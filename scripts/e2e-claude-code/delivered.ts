// SPDX-License-Identifier: Apache-2.0
// What the model got for a call, without what the client itself adds to it.
import { isRecord, type Json, textAt } from "./json.ts";

export interface Delivered {
  readonly failed: boolean;
  /** One for a plain result, one for each content block. */
  readonly parts: readonly Part[];
}

export interface Part {
  /** The text, or the JSON of a block that is none; names that differ between runs are replaced. */
  readonly text: string;
  /** As sent. */
  readonly raw: string;
  readonly isText: boolean;
}

const REMINDERS = /(?:\n?\n?<system-reminder>(?:(?!<system-reminder>)[\s\S])*<\/system-reminder>)+\s*$/;
/** Names that differ between two runs: spilled files, tasks, agents. */
const RANDOM: readonly (readonly [RegExp, string])[] = [
  [/tool-results\/[\w.-]+/g, "tool-results/NAME"],
  [/(ID: |tasks\/)[a-z0-9]{9}\b/g, "$1TASK"],
  [/agent(Id: |-)[a-f0-9]+/g, "agent$1AGENT"],
  [/(duration_ms|total_tokens|tool_uses|subagent_tokens)(: |>)\d+/g, "$1$2N"],
];

/** Reads a tool_result block of a request. */
export function readDelivered(block: Json): Delivered {
  const failed = block.is_error === true;
  if (!Array.isArray(block.content)) {
    const text = typeof block.content === "string" ? block.content : "";
    return { failed, parts: [toPart(text.replace(REMINDERS, ""), true)] };
  }
  const blocks: readonly unknown[] = block.content;
  const parts: Part[] = [];
  for (const inner of blocks) {
    const isText = isRecord(inner) && inner.type === "text";
    if (!isText) parts.push(toPart(JSON.stringify(inner), false));
    else if (REMINDERS.test(textAt(inner, "text"))) joinReminder(parts);
    else parts.push(toPart(textAt(inner, "text"), true));
  }
  return { failed, parts };
}

/** The client ends a text with a line break before it adds a block with a reminder. */
function joinReminder(parts: Part[]): void {
  const last = parts.pop();
  if (last !== undefined) parts.push(last.isText ? toPart(last.raw.replace(/\n$/, ""), true) : last);
}

function toPart(raw: string, isText: boolean): Part {
  return { raw, isText, text: RANDOM.reduce((text, [pattern, name]) => text.replace(pattern, name), raw) };
}

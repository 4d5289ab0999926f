// SPDX-License-Identifier: Apache-2.0
// One call: what the model got with isthmos, against what it got without and what the scenario expects.
import { checkItems, checkLines, checkRuns, splitLines } from "./check-text.ts";
import type { Delivered } from "./delivered.ts";
import { at, listOf, textAt, tryParse } from "./json.ts";
import { citedIds, readMark } from "./marks.ts";
import { DROP_KEYS } from "./rules.ts";
import type { Call, Expectation, TextExpectation } from "./scenario.ts";

/** The client adds this to a search that it cut itself; it is no part of the tool's text. */
const GREP_NOTE = /\n\n\[Showing results with pagination = [^\]]*\]$/;
/** The client numbers the end of the last line as one more line, and trims it where a reminder follows. */
const READ_END = /\n\d+\t?$/;
const EXCERPT_MAX_CHARS = 20_000;
const GREP_HEAD = /^Found \d+ files?\n/;

export interface Checked {
  readonly faults: readonly string[];
  /** True if a reference stands for the whole text. */
  readonly isReference?: boolean;
}

/** Checks a result; `of` gives the control's result of another call, by its key ("script turn.index"). */
export function checkCall(
  call: Call,
  control: Delivered,
  live: Delivered,
  of: (key: string) => Delivered | undefined,
): Checked {
  const { expect } = call;
  if (expect.kind === "revealed") return { faults: checkEqual(of(expect.of), live) };
  if (expect.kind === "recovered") return { faults: checkRecovered(expect.lines, of(expect.of), live) };
  if (control.failed !== live.failed) return { faults: ["failed in one run only"] };
  switch (expect.kind) {
    case "same":
      return { faults: checkEqual(control, live) };
    case "untouched": {
      const isThere = control.parts.some(({ text }) => text.includes(expect.holds));
      const faults = isThere
        ? []
        : [`without isthmos it does not hold "${expect.holds}": the scenario is wrong`];
      return { faults: [...faults, ...checkEqual(control, live)] };
    }
    case "again":
      return checkAgain(call.tool, control, live);
    case "excerpt":
      return { faults: checkExcerpt(expect.keeps, control, live) };
    case "either":
      return { faults: checkEqual(control, live) };
    case "blocks":
      return { faults: checkBlocks(expect.each, control, live) };
    default:
      return { faults: checkWhole(expect, control, live) };
  }
}

function checkExcerpt(keeps: readonly string[], control: Delivered, live: Delivered): string[] {
  const faults: string[] = [];
  const text = live.parts.map((part) => part.raw).join("\n");
  if (!control.parts.some((part) => part.text.includes("<persisted-output>")))
    faults.push("without isthmos it is not spilled: the scenario is wrong");
  if (text.includes("<persisted-output>")) faults.push("the client shows its preview");
  if (text.length > EXCERPT_MAX_CHARS) faults.push(`${text.length} characters, above ${EXCERPT_MAX_CHARS}`);
  for (const kept of keeps) if (!text.includes(kept)) faults.push(`"${kept}" is not in view`);
  if (citedIds(text).length !== 1) faults.push("no marker leads to the whole");
  return faults;
}

function checkRecovered(
  [from, to]: readonly [number, number],
  original: Delivered | undefined,
  live: Delivered,
): string[] {
  const answer = tryParse(live.parts[0]?.raw ?? "");
  const wanted = splitLines(original?.parts[0]?.text ?? "").slice(from - 1, to);
  if (textAt(answer, "status") !== "ok") return ["the server's reveal has no status ok"];
  const groups = listOf(at(answer, "groups")).map((group) => textAt(group, "text"));
  const given = splitLines(groups.length > 0 ? groups.join("") : textAt(answer, "text"));
  return given.join("\n") === wanted.join("\n") && wanted.length > 0
    ? []
    : [`lines ${from} to ${to} are others`];
}

/** The text of a result as the tool gave it: what the hook saw, and what a reveal gives back. */
export function originalTexts(call: Call, { parts }: Delivered): string[] {
  return parts.map(({ text }) =>
    undecorate(call.tool, text.replace(call.tool === "Grep" ? GREP_NOTE : "", "")),
  );
}

/** A text without the line numbers and the headline that the client adds. */
export function undecorate(tool: string, text: string): string {
  if (tool === "Read") return text.replace(READ_END, "\n").replace(/^\d+\t/gm, "");
  return tool === "Grep" ? text.replace(GREP_HEAD, "") : text;
}

type WholeExpectation = Exclude<
  Expectation,
  { kind: "same" | "untouched" | "again" | "blocks" | "revealed" | "recovered" | "either" | "excerpt" }
>;

function checkWhole(expect: WholeExpectation, control: Delivered, live: Delivered): string[] {
  const [before, ...more] = control.parts;
  const [after, ...others] = live.parts;
  if (before === undefined || after === undefined || more.length > 0 || others.length > 0) {
    return ["not one text"];
  }
  if (expect.kind === "read") return checkRead(before.text, after.text, expect.max, expect.failing);
  if (expect.kind === "names") return checkNames(before.text, after.text, expect.max);
  return checkText(expect, before.text, after.text);
}

function checkText(expect: TextExpectation, before: string, after: string): string[] {
  switch (expect.kind) {
    case "same":
      return before === after ? [] : ["not what the client gives without isthmos"];
    case "runs":
      return checkRuns(before, after);
    case "lines": {
      const notes = [before, after].map((text) => GREP_NOTE.exec(text)?.[0] ?? "");
      const faults = notes[0] === notes[1] ? [] : [`the client's note differs: ${notes.join(" / ")}`];
      return [...faults, ...checkLines(before.replace(GREP_NOTE, ""), after.replace(GREP_NOTE, ""), expect)];
    }
    case "items":
      return checkItems(before, after, expect, isDropped);
  }
}

function isDropped(key: string): boolean {
  return DROP_KEYS.some((glob) => (glob.startsWith("*") ? key.endsWith(glob.slice(1)) : key === glob));
}

function checkEqual(control: Delivered | undefined, live: Delivered): string[] {
  if (control === undefined) return ["no such call in the run without isthmos"];
  const texts = [control, live].map(({ parts }) => JSON.stringify(parts.map(({ text }) => text)));
  return texts[0] === texts[1] ? [] : ["not what the client gives without isthmos"];
}

function checkBlocks(each: readonly TextExpectation[], control: Delivered, live: Delivered): string[] {
  if (control.parts.length !== each.length || live.parts.length !== each.length) {
    return [`${live.parts.length} blocks, ${each.length} expected, ${control.parts.length} without isthmos`];
  }
  return each.flatMap((expect, index) => {
    const [before, after] = [control.parts[index], live.parts[index]];
    if (before === undefined || after === undefined || before.isText !== after.isText)
      return [`block ${index}: kind`];
    return checkText(expect, before.text, after.text).map((fault) => `block ${index}: ${fault}`);
  });
}

/** The client numbers lines itself: the kept ones must keep their numbers, the marker gets the next one. */
function checkRead(before: string, after: string, max: number, failing = 0): string[] {
  const lines = before.split("\n");
  const shown = after.split("\n");
  const total = splitLines(before.replace(READ_END, "\n")).length;
  const faults: string[] = [];
  if (shown.slice(0, max).join("\n") !== lines.slice(0, max).join("\n")) faults.push("the kept lines differ");
  const [number = "", marker = ""] = (shown[max] ?? "").replace(/\r$/, "").split("\t");
  if (number !== lines[max]?.split("\t")[0]) faults.push(`line number ${number} before the marker`);
  const mark = readMark(marker);
  if (mark?.kind !== "cut" || mark.unit !== "lines") return [...faults, `no marker: ${shown[max]}`];
  if (mark.from !== max + 1 || mark.to !== total || mark.total !== total || mark.count !== total - max) {
    faults.push(`the range is ${max + 1}-${total} of ${total}: ${marker}`);
  }
  if (mark.failing !== failing) faults.push(`${failing} failing lines are cut: ${marker}`);
  const rest = shown.slice(max + 1);
  if (rest.length > 1 || (rest.length === 1 && !/^\d+\t?$/.test(rest[0] ?? "")))
    faults.push("text after the marker");
  return faults;
}

function checkNames(before: string, after: string, max: number): string[] {
  const head = GREP_HEAD.exec(before)?.[0] ?? "";
  const names = before.slice(head.length).split("\n");
  const expected = `${head === "" ? "" : `Found ${max} files\n`}${names.slice(0, max).join("\n")}\n`;
  if (!after.startsWith(expected))
    return [`not the first ${max} names: ${JSON.stringify(after.slice(0, 300))}`];
  const mark = readMark(after.slice(expected.length));
  const isRight = mark?.kind === "cut" && mark.from === max + 1 && mark.to === names.length;
  if (!isRight || mark.count !== names.length - max || mark.total !== names.length) {
    return [`a wrong marker: ${JSON.stringify(after.slice(expected.length))}`];
  }
  return [];
}

function checkAgain(tool: string, control: Delivered, live: Delivered): Checked {
  const text = live.parts[0]?.text ?? "";
  const mark =
    live.parts.length === 1
      ? readMark(tool === "Read" ? text.replace(READ_END, "").replace(/^1\t/, "") : text)
      : undefined;
  if (mark === undefined) return { faults: checkEqual(control, live) };
  const total = splitLines(
    originalTexts({ tool, input: {}, expect: { kind: "again" } }, control)[0] ?? "",
  ).length;
  const isRight = mark.kind === "seen" && mark.unit === "lines" && mark.count === total;
  return { faults: isRight ? [] : [`no reference to ${total} lines: ${text}`], isReference: true };
}

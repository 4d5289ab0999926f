// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { claudeCode } from "../../../../src/hosts/claude-code/hook.ts";
import { acceptsOutput } from "../client-schema.ts";
import { answerWith, cutAll, fixtureNames, loadCall, loadFixture, receivedOf, textOf } from "../events.ts";
import { verifies } from "../requirements.ts";

const results = fixtureNames()
  .map((name) => name.replace(/-[\d.]+$/, ""))
  .filter((name) => claudeCode.decode(loadFixture(name))?.kind === "result");
const withRegions = results.filter((name) => loadCall(name).regions.length > 0);

describe(verifies("answer:envelope"), () => {
  it.each(withRegions)("%s", (name) => {
    const call = loadCall(name);
    const text = textOf(claudeCode.encode(call, cutAll(call)));
    expect(text).toMatch(/^\{"hookSpecificOutput":\{"hookEventName":"PostToolUse","updatedToolOutput":/);
    const answer = JSON.parse(text);
    expect(Object.keys(answer)).toEqual(["hookSpecificOutput"]);
    expect(Object.keys(answer.hookSpecificOutput)).toEqual(["hookEventName", "updatedToolOutput"]);
  });
});

describe(verifies("answer:received-shape"), () => {
  it.each(results)("C7: %s as received is accepted, so the check is of the client's own shape", (name) => {
    const call = loadCall(name);
    expect(acceptsOutput(call.tool, receivedOf(call))).toBe(true);
  });

  it.each(withRegions)("C7: %s with every region cut is accepted and has the same keys", (name) => {
    const call = loadCall(name);
    const answer = answerWith(call, cutAll(call));
    expect(acceptsOutput(call.tool, answer)).toBe(true);
    if (name === "bash-persisted" || typeof answer === "string") return;
    expect(keyPaths(answer)).toEqual(keyPaths(receivedOf(call)));
  });

  it.each([
    ["Bash", "a string"],
    ["Bash", null],
    ["Bash", { stdout: "x", stderr: "" }],
    ["Bash", { stdout: 42, stderr: "", interrupted: false }],
    ["Read", { type: "text", file: { filePath: "/a", content: "x", numLines: 1, startLine: 1 } }],
    ["Grep", { mode: "files_with_matches", filenames: ["a", { isthmos: "m" }], numFiles: 1 }],
    ["Glob", { filenames: [], numFiles: 0, truncated: false }],
    ["mcp__a__b", { content: [] }],
    ["mcp__a__b", [1, 2]],
    ["mcp__a__b", ["s", { type: "text", text: "x" }]],
    ["mcp__a__b", [{ isthmos: "m" }]],
  ])("the check refuses what the client refuses: %s %j", (tool, output) => {
    expect(acceptsOutput(tool, output)).toBe(false);
  });
});

describe(verifies("answer:rest-untouched"), () => {
  it.each(withRegions)("C4: %s with an edit that changes nothing is the received bytes", (name) => {
    const call = loadCall(name);
    // Names and counted texts are written anew where they change; one region's empty edit touches none of them.
    const untouched = call.found.map(({ counter }) => (counter ? undefined : { splices: [] }));
    const answer = textOf(claudeCode.encode({ ...call, drops: [] }, untouched));
    const received = textOf(call.event.subarray(call.response.start, call.response.end));
    expect(answer).toBe(
      `{"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":${received}}}`,
    );
  });
});

/** Every key and array position, names and blocks by kind; lists of names may get shorter. */
function keyPaths(value: unknown): string[] {
  const paths: string[] = [];
  const open: [string, unknown][] = [["", value]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [path, node] = next;
    if (typeof node !== "object" || node === null) continue;
    for (const [key, child] of Object.entries(node)) {
      if (path === "/filenames") continue;
      paths.push(`${path}/${key}`);
      open.push([`${path}/${key}`, child]);
    }
  }
  return paths.sort();
}

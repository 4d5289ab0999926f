// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { logLines } from "../../scripts/payloads.ts";
import { answeredText, citedIds, toolResult } from "../support/events.ts";
import { EXECUTABLE_MISSING, type Home, makeHome } from "../support/run-cli.ts";

const LOG = logLines(300);

describe.skipIf(EXECUTABLE_MISSING)("C10: what was given back is not cut again", () => {
  let home: Home;
  let id: string;
  beforeEach(() => {
    home = makeHome([{ tool: "*", max_lines: 20 }]);
    id =
      citedIds(answeredText(home.run({ input: toolResult({ useId: "1", text: LOG }) }).stdout) ?? "")[0] ??
      "";
  });
  afterEach(() => home.remove());

  const bash = (command: string, text: string): string =>
    toolResult({ useId: "2", text }).replace('"command":"make"', `"command":${JSON.stringify(command)}`);
  const answer = (input: string) => answeredText(home.run({ input }).stdout);

  it("by the command that shows it", () => {
    // Other bytes than the original: a part, with something around it.
    const shown = `== part ==\n${LOG.slice(500)}`;
    expect(answer(bash("make", shown))).toBeDefined();
    expect(answer(bash(`isthmos reveal ${id}`, shown))).toBeUndefined();
    expect(answer(bash(`cd /tmp && /opt/bin/isthmos reveal ${id} | sed -n 1,400p`, shown))).toBeUndefined();
    expect(answer(bash("echo isthmos; revealing", shown))).toBeDefined();
  });

  it.each(["mcp__isthmos__reveal", "mcp__plugin_isthmos_isthmos__reveal"])("by the tool %s", (tool) => {
    expect(answer(toolResult({ tool, useId: "2", text: LOG.slice(100) }))).toBeUndefined();
    expect(
      answer(toolResult({ tool: "mcp__other__reveal", useId: "2", text: LOG.slice(100) })),
    ).toBeDefined();
  });

  it("by its bytes, whatever tool brings them", () => {
    expect(answer(toolResult({ tool: "mcp__files__read", useId: "2", text: LOG }))).toBeDefined();
    const revealed = home.run({ args: ["reveal", id] });
    expect(revealed).toMatchObject({ code: 0, stdout: Buffer.from(LOG), stderr: "" });
    expect(answer(toolResult({ tool: "mcp__files__read", useId: "3", text: LOG }))).toBeUndefined();
    expect(home.run({ args: ["filter", "-tool", "cat"], input: LOG }).stdout.toString()).toBe(LOG);
  });

  it("gives back exactly what a marker names", () => {
    const text = answer(toolResult({ useId: "4", text: LOG })) ?? "";
    const hole = /\[isthmos: (\d+) of 300 lines truncated, lines (\d+)-(\d+), full/.exec(text);
    const [, , from, to] = hole ?? [];
    const part = home.run({ args: ["reveal", id, "--lines", `${from}:${to}`] });
    const lines = LOG.split("\n").slice(Number(from) - 1, Number(to));
    expect(part.stdout.toString()).toBe(`${lines.join("\n")}\n`);
  });
});

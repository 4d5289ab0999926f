// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bashEvent, logLines } from "../../scripts/payloads.ts";
import { readRows } from "../../src/measure/log.ts";
import { answeredText, batch, citedIds, toolResult } from "../support/events.ts";
import { EXECUTABLE_MISSING, type Home, makeHome } from "../support/run-cli.ts";

const LOG = logLines(300);
const CALL = { useId: "use-1", text: LOG };

describe.skipIf(EXECUTABLE_MISSING)("C14: no claim that the model did not get", () => {
  let home: Home;
  beforeEach(() => {
    home = makeHome([{ tool: "Bash", max_lines: 20 }]);
  });
  afterEach(() => home.remove());

  const calls = () => [...readRows({ stateDir: home.stateDir })].filter((row) => row.kind === "call");
  const stats = () => home.run({ args: ["stats", "--json"] }).stdout.toString();

  it("the row of an answer has the sizes that the model would see", () => {
    const text = answeredText(home.run({ input: toolResult(CALL) }).stdout) ?? "";
    expect(calls()).toMatchObject([
      { inBytes: LOG.length, outBytes: Buffer.byteLength(text), host: "claude-code" },
    ]);
  });

  it("an answer that could not be stored claims nothing", () => {
    const env = { HOME: home.path, ISTHMOS_KEY_FILE: "/dev/null/key" };
    expect(home.run({ input: toolResult(CALL), env }).stdout).toHaveLength(0);
    expect(calls()).toMatchObject([{ inBytes: LOG.length, outBytes: LOG.length }]);
  });

  it("what the host reports as delivered wins over the estimate", () => {
    home.run({ input: toolResult(CALL) });
    const claimed = stats();
    // Another hook answered, too, and the client took that one.
    home.run({ input: batch([CALL]) });
    expect(stats()).not.toBe(claimed);
    const [row] = [...readRows({ stateDir: home.stateDir })].filter(({ kind }) => kind === "delivered");
    expect(row).toMatchObject({ delivered: LOG.length });
  });

  it("shadow answers nothing, stores nothing, and its row says so", () => {
    const env = { HOME: home.path, ISTHMOS_SHADOW: "1" };
    expect(home.run({ input: toolResult(CALL), env }).stdout).toHaveLength(0);
    const [row] = calls();
    expect(row).toMatchObject({ shadow: true, inBytes: LOG.length });
    expect(row?.outBytes).toBeLessThan(LOG.length);
  });

  it("a failed call is counted, and never answered", () => {
    const failure = JSON.stringify({
      ...JSON.parse(bashEvent("")),
      hook_event_name: "PostToolUseFailure",
      tool_response: undefined,
      error: LOG,
    });
    expect(home.run({ input: failure })).toMatchObject({ code: 0, stdout: Buffer.alloc(0), stderr: "" });
    expect(calls()).toMatchObject([{ failure: true, inBytes: LOG.length, outBytes: LOG.length }]);
  });

  it("a reveal is booked against the saving", () => {
    const [id = ""] = citedIds(answeredText(home.run({ input: toolResult(CALL) }).stdout) ?? "");
    home.run({ args: ["reveal", id, "--lines", "1:2"] });
    const reveal = [...readRows({ stateDir: home.stateDir })].find(({ kind }) => kind === "reveal");
    expect(reveal).toMatchObject({
      tool: "Bash",
      revealed: Buffer.byteLength(LOG.split("\n").slice(0, 2).join("\n")) + 1,
    });
  });
});

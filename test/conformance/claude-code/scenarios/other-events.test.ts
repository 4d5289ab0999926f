// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { claudeCode } from "../../../../src/hosts/claude-code/hook.ts";
import { joinTexts } from "../../../../src/hosts/host.ts";
import { loadCall, loadFixture, textOf } from "../events.ts";
import { verifies } from "../requirements.ts";

const decode = (name: string) => claudeCode.decode(loadFixture(name));

describe("events around the calls", () => {
  it(verifies("post-tool-use-failure:size"), () => {
    const useId = "toolu_fx_failure";
    expect(decode("failure-bash")).toEqual({ kind: "failure", tool: "Bash", useId, bytes: 38 });
    // A dash of three bytes counts as the model's text does.
    expect(decode("failure-mcp")).toMatchObject({ tool: "mcp__depot__lock", bytes: 37 });
  });

  it(verifies("post-tool-batch:deliveries"), () => {
    const event = decode("batch");
    if (event?.kind !== "batch") throw new Error("expected a batch");
    expect(event).toMatchObject({
      session: "5e551011-0000-4000-8000-000000000001",
      agent: "a1b2c3d4e5f60718",
    });
    const byName = new Map(
      event.deliveries.map(({ useId, bytes }) => [useId?.replace("toolu_fx_", ""), textOf(bytes)]),
    );
    expect(byName.size).toBe(7);
    for (const name of ["bash-subagent", "read", "read-part", "grep-files", "mcp-blocks", "mcp-string"]) {
      const regions = loadCall(name).regions.map(({ bytes }) => bytes);
      expect(byName.get(name), name).toBe(textOf(joinTexts(regions)));
    }
    expect(byName.get("bash-persisted")).toMatch(/^<persisted-output>\n/);
  });

  it.each(["startup", "resume", "clear", "compact", "fork"])(`${verifies("session:start")}: %s`, (source) => {
    const session = "5e551011-0000-4000-8000-000000000001";
    expect(decode(`session-start-${source}`)).toEqual({ kind: "boundary", session, starts: true });
  });

  it.each(["pre-compact", "post-compact"])(`${verifies("session:compact")}: %s`, (name) => {
    const session = "5e551011-0000-4000-8000-000000000001";
    expect(decode(name)).toEqual({ kind: "boundary", session, starts: false });
  });

  it.each(["stop", "pre-tool-use"])(`${verifies("events:others")}: %s`, (name) => {
    expect(decode(name)).toEqual({ kind: "ignored" });
  });
});

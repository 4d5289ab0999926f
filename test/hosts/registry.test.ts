// SPDX-License-Identifier: Apache-2.0
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { decodeEvent, hosts } from "../../src/hosts/registry.ts";

const decode = (text: string) => decodeEvent(new TextEncoder().encode(text));

describe("registry", () => {
  it("has every folder of hosts, each under its own name", () => {
    const folders = readdirSync(join(import.meta.dirname, "../../src/hosts"), { withFileTypes: true });
    const names = folders.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
    expect(hosts.map((host) => host.name).sort()).toEqual(names.sort());
  });

  it("gives the event with its host, which answers it", () => {
    const decoded = decode(
      '{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_response":{"stdout":"abc"}}',
    );
    expect(decoded?.host.name).toBe("claude-code");
    if (decoded?.event.kind !== "result") throw new Error("expected a result");
    const answer = decoded.host.encode(decoded.event.call, [
      { splices: [{ start: 1, end: 3, insert: ["!"] }] },
    ]);
    expect(JSON.parse(new TextDecoder().decode(answer))).toEqual({
      hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: { stdout: "a!" } },
    });
  });

  it.each(["", "{}", "null", '{"hook_event_name":"AfterTool"}'])("C1: no host knows %j", (text) => {
    expect(decode(text)).toBeUndefined();
  });
});

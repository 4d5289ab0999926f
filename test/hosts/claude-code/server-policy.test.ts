// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { findBar, readServerPolicy } from "../../../src/hosts/claude-code/server-policy.ts";

const WORDS = ["/opt/isthmos", "mcp"];

describe("which servers may start, as seen with the client", () => {
  it.each<[string, object[], string | undefined]>([
    ["nothing is said", [{}], undefined],
    ["denied by name", [{}, { deniedMcpServers: [{ serverName: "isthmos" }] }], "deniedMcpServers"],
    ["denied by command", [{ deniedMcpServers: [{ serverCommand: WORDS }] }], "deniedMcpServers"],
    [
      "others are denied",
      [{ deniedMcpServers: [{ serverName: "x" }, { serverCommand: ["isthmos"] }] }],
      undefined,
    ],
    ["only others are allowed", [{ allowedMcpServers: [{ serverName: "x" }] }], "allowedMcpServers"],
    ["none is allowed", [{ allowedMcpServers: [] }], "allowedMcpServers"],
    [
      "allowed by one of the files",
      [{ allowedMcpServers: [] }, { allowedMcpServers: [{ serverName: "isthmos" }] }],
      undefined,
    ],
    ["allowed by command", [{ allowedMcpServers: [{ serverCommand: WORDS }] }], undefined],
    [
      "allowed and denied",
      [{ allowedMcpServers: [{ serverName: "isthmos" }], deniedMcpServers: [{ serverName: "isthmos" }] }],
      "deniedMcpServers",
    ],
    [
      "odd values",
      [{ deniedMcpServers: "isthmos", allowedMcpServers: {} }, { deniedMcpServers: ["isthmos", 7, null] }],
      undefined,
    ],
  ])("%s", (_, roots, bar) => {
    const policy = readServerPolicy(roots.map((root) => ({ ...root })));
    expect(findBar(policy, "isthmos", WORDS)).toBe(bar);
  });
});

it("puts together what files agree to and refuse", () => {
  const { approved, refused } = readServerPolicy([
    { enabledMcpjsonServers: ["a"], disabledMcpjsonServers: ["b", 7] },
    { enableAllProjectMcpServers: true, disabledMcpjsonServers: ["c"] },
    { enableAllProjectMcpServers: "true" },
  ]);
  expect([[...approved], [...refused]]).toEqual([
    ["a", "*"],
    ["b", "c"],
  ]);
});

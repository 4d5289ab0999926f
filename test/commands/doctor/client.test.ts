// SPDX-License-Identifier: Apache-2.0
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { checkClient, findClient } from "../../../src/commands/doctor/client.ts";
import { type DoctorHome, makeDoctorHome } from "../../support/doctor-home.ts";

let at: DoctorHome;
beforeEach(() => {
  at = makeDoctorHome();
});
afterEach(() => at.remove());

const COMMAND = { type: "command", command: "isthmos hook" };
const TOOL = { type: "mcp_tool", server: "isthmos", tool: "compress" };

it.each<[string, object, string, string]>([
  ["echo '2.1.332 (Claude Code)'", COMMAND, "ok", "Claude Code 2.1.332"],
  ["echo 2.1.121", COMMAND, "ok", "Claude Code 2.1.121"],
  ["echo 2.1.120", COMMAND, "broken", "lets no hook replace the result of a built-in tool"],
  ["echo 2.1.118", TOOL, "broken", "lets no hook replace the result of a built-in tool"],
  ["echo 2.1.117", TOOL, "broken", "knows no mcp_tool hooks"],
  ["echo 2.1.117", COMMAND, "broken", "lets no hook replace the result of a built-in tool"],
  ["echo 1.9.999", TOOL, "broken", "knows no mcp_tool hooks"],
  ["echo 2.0.999", COMMAND, "broken", "lets no hook replace"],
  ["echo 3.0.0", TOOL, "ok", "Claude Code 3.0.0"],
  ["echo soon", COMMAND, "note", "~/bin/claude does not tell its version"],
  ["exit 1", COMMAND, "note", "~/bin/claude does not tell its version"],
])("%s with %j: %s", async (body, hook, level, words) => {
  at.put("bin/claude", `#!/bin/sh\n${body}\n`, 0o755);
  at.wire(hook);
  const facts = at.facts({ PATH: join(at.home, "bin") });
  expect(checkClient(facts, await findClient(facts.env, 5000))).toMatchObject([
    { level, message: expect.stringContaining(words) },
  ]);
});

it("says nothing where no client is in PATH", async () => {
  const facts = at.facts({ PATH: join(at.home, "bin") });
  expect(checkClient(facts, await findClient(facts.env, 5000))).toEqual([]);
});

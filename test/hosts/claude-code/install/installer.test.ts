// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { readEnv } from "../../../../src/env.ts";
import { claudeCodeInstaller } from "../../../../src/hosts/claude-code/install/installer.ts";

const env = readEnv(
  { HOME: "/home/dev" },
  () => "/home/dev",
  () => "/home/dev/project",
);

function notesOn(groups: readonly (readonly [string | undefined, string])[], matcher?: string) {
  const PostToolUse = groups.map(([on, command]) => ({
    ...(on !== undefined && { matcher: on }),
    hooks: [{ type: "command", command }],
  }));
  const text = JSON.stringify({ hooks: { PostToolUse } });
  const request = {
    scope: "user",
    folder: undefined,
    env,
    program: ["/opt/isthmos"],
    client: undefined,
  } as const;
  const plan = claudeCodeInstaller.install({ ...request, route: "command", matcher }, (path) =>
    path.endsWith("settings.json") ? text : undefined,
  );
  return plan.notes.join("\n");
}

describe("of hooks wired by hand", () => {
  it("several matchers are named, and the one that has them all", () => {
    const notes = notesOn([
      ["Bash", "isthmos hook"],
      ["^mcp__.*$", "isthmos hook"],
    ]);
    expect(notes).toContain("(Bash  and  ^mcp__.*$): one hook has them all now: ^(?:Bash)$|(?:^mcp__.*$)");
  });

  it.each([
    [[["Bash", "isthmos hook"]], undefined],
    [
      [
        ["Bash", "isthmos hook"],
        ["Read", "other"],
      ],
      undefined,
    ],
    [
      [
        ["Bash", "isthmos hook"],
        ["Read", "isthmos hook"],
      ],
      "Grep",
    ],
  ] as const)("nothing is said of %j with --matcher %s", (groups, matcher) =>
    expect(notesOn(groups, matcher)).not.toMatch(/several matchers|replaced/),
  );

  it("variables in front of a command are named", () =>
    expect(notesOn([["Read", "ISTHMOS_SHADOW=1 isthmos hook"]])).toContain(
      'the hook "ISTHMOS_SHADOW=1 isthmos hook" (PostToolUse Read) was replaced, and ISTHMOS_SHADOW=1 went with it',
    ));
});

// SPDX-License-Identifier: Apache-2.0
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { explainHookProgram, explainSearch } from "../../../src/commands/doctor/hook-program.ts";
import { readEnv } from "../../../src/env.ts";

const home = mkdtempSync(join(tmpdir(), "isthmos-program-"));
afterAll(() => rmSync(home, { recursive: true }));
const env = readEnv({ HOME: home }, () => home);
mkdirSync(join(home, "my bin/folder/isthmos"), { recursive: true });
writeFileSync(join(home, "my bin/isthmos"), "", { mode: 0o755 });
writeFileSync(join(home, "isthmos"), "");
chmodSync(join(home, "isthmos"), 0o644);

const command = (target: string, program?: string) => ({
  ...{ scope: "user", path: "/s.json", event: "PostToolUse", type: "command", target, async: false },
  ...(program !== undefined && { program }),
});

it.each<[string, string | undefined, string | undefined]>([
  ["isthmos hook", undefined, undefined],
  ["./isthmos hook", undefined, undefined],
  ['"$HOME/my bin/isthmos" hook', undefined, undefined],
  ["'HOME/my bin/isthmos' hook || true", undefined, undefined],
  ["HOME/my bin/isthmos hook", "HOME/my bin/isthmos", undefined],
  ["~/isthmos hook", undefined, "is not executable"],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as a shell reads it
  ["${HOME}/gone/isthmos hook", undefined, "is not there"],
  ["ISTHMOS_SHADOW=1 HOME/gone/isthmos hook", undefined, "is not there"],
  ["HOME/isthmos/isthmos hook", undefined, "is not there"],
  ["'HOME/my bin/folder/isthmos' hook", undefined, "is not a file"],
  ["~/isthmos hook", "~/isthmos", 'is not expanded in a command with "args"'],
  ["$HOME/isthmos hook", "$HOME/isthmos", 'is not expanded in a command with "args"'],
])("%j as %j", (target, program, problem) => {
  const put = (text: string) => text.replace(/(?<!\$|\$\{)HOME/, home);
  const said = explainHookProgram(command(put(target), program && put(program)), {
    env,
    show: (path) => path,
  });
  expect(said?.replace(/^.*, wired in \/s\.json, /, "")).toBe(problem);
});

it.each([
  ["isthmos hook", "my bin", undefined],
  ["isthmos hook", "", "isthmos, wired in /s.json, is in no folder of PATH here"],
  ["ISTHMOS_SHADOW=1 isthmos hook", "", "isthmos, wired in /s.json, is in no folder of PATH here"],
  ["/elsewhere/isthmos hook", "", undefined],
  ["$HOME/isthmos hook", "", undefined],
])("%j, looked for in %j", (target, folder, problem) => {
  const searching = readEnv(
    { HOME: home, PATH: `relative:${join(home, folder, "x")}:${join(home, folder)}` },
    () => home,
  );
  const place = { env: folder === "" ? env : searching, show: (path: string) => path };
  expect(explainSearch(command(target), place)).toBe(problem);
});

it("a tool of the server has no program", () => {
  const hook = { ...command("isthmos squeeze"), type: "mcp_tool" };
  expect(explainHookProgram(hook, { env, show: (path) => path })).toBeUndefined();
});

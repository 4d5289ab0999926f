// SPDX-License-Identifier: Apache-2.0
// Results in the form that OpenCode gives a plugin, through the plugin that `init` writes and the hook as it stands.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pluginText } from "../../../../src/hosts/opencode/install/plugin.ts";
import { verifies } from "../requirements.ts";

const FIXTURES = join(import.meta.dirname, "../fixtures");
const CLI = resolve(import.meta.dirname, "../../../../src/cli.ts");
const RULES = { mode: "live", rules: [{ tool: "{Bash,Read,mcp__my_srv__*}", max_lines: 12, keep_last: 4 }] };
const MARKER = /\[isthmos: \d+ of \d+ lines truncated, lines \d+-\d+, full: isthmos reveal [0-9a-f]{16}\]/;

interface Output {
  readonly output?: string;
  readonly content?: readonly { readonly type: string; readonly text: string }[];
}

interface Fixture {
  readonly input: object;
  readonly output: Output;
}

interface Hooks {
  config(config: object): Promise<void>;
  "tool.execute.after"(input: object, output: object): Promise<void>;
}

let home = "";
let hooks: Hooks;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "isthmos opencode "));
  mkdirSync(join(home, ".config/isthmos"), { recursive: true });
  writeFileSync(join(home, ".config/isthmos/rules.json"), JSON.stringify(RULES));
  const file = join(home, "plugin.mjs");
  const program = ["/usr/bin/env", "-i", `HOME=${home}`, process.execPath, CLI] as const;
  writeFileSync(file, pluginText(program).replace("TIMEOUT_MS = 5000", "TIMEOUT_MS = 60_000"));
  const module: { Isthmos: () => Promise<Hooks> } = await import(pathToFileURL(file).href);
  hooks = await module.Isthmos();
  await hooks.config({ mcp: { "my.srv": { type: "local", command: ["x"] } } });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

function load(name: string): Fixture {
  return JSON.parse(readFileSync(join(FIXTURES, `${name}-1.18.33.json`), "utf8"));
}

/** The result before and after the plugin. */
async function treat(name: string): Promise<{ before: Output; after: Output }> {
  const { input, output } = load(name);
  await hooks["tool.execute.after"](input, output);
  return { before: load(name).output, after: output };
}

function rows(): { tool: string; host?: string; in_bytes: number; out_bytes: number; call?: string }[] {
  const log = readFileSync(join(home, ".local/state/isthmos/measure.jsonl"), "utf8");
  return log
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

describe(verifies("after:built-in"), () => {
  it("C5: bash is cut and marked, all else stays, and the log says so", async () => {
    const { before, after } = await treat("bash");
    expect(after.output).toMatch(MARKER);
    expect(after.output?.startsWith("step 1 done\nstep 2 done\n")).toBe(true);
    expect(after.output?.endsWith("step 40 done\n")).toBe(true);
    expect({ ...after, output: before.output }).toEqual(before);
    expect(rows().at(-1)).toMatchObject({
      tool: "Bash",
      host: "opencode",
      in_bytes: Buffer.byteLength(before.output ?? ""),
      out_bytes: Buffer.byteLength(after.output ?? ""),
      call: expect.any(String),
    });
  });
});

describe(`${verifies("after:mcp")}; ${verifies("after:mcp-name")}`, () => {
  it("C7: the long block is cut, the other one and the structure stay; rules know it as mcp__my_srv__list", async () => {
    const { before, after } = await treat("mcp");
    expect(after.content?.[0]?.text).toMatch(MARKER);
    expect(after.content?.[1]).toEqual(before.content?.[1]);
    expect({ ...after, content: before.content }).toEqual(before);
    expect(rows().at(-1)).toMatchObject({ tool: "mcp__my_srv__list" });
  });
});

describe(verifies("after:read"), () => {
  it.each([
    ["read", "1: note 1", "(End of file - total 40 lines)"],
    ["read-part", "3: note 3", "(Showing lines 3-32 of 40. Use offset=33 to continue.)"],
  ])("%s loses only lines at its end; the note and the tags stay", async (name, first, note) => {
    const { after } = await treat(name);
    const text = after.output ?? "";
    expect(text).toContain(`\n<content>\n${first}\n`);
    expect(text.endsWith(`]\n\n${note}\n</content>`)).toBe(true);
    expect(text.match(/\[isthmos: /g)).toHaveLength(1);
  });
});

describe(verifies("after:folder"), () => {
  it("is cut as a whole, at its end", async () => {
    const { after } = await treat("read-folder");
    expect(after.output).toMatch(/^<path>.*<\/path>\n<type>directory<\/type>\n<entries>\npart-1\.txt\n/);
    expect(after.output).toMatch(new RegExp(`${MARKER.source}$`));
  });
});

describe(verifies("after:truncated"), () => {
  it("keeps the place of the whole in view", async () => {
    const { after } = await treat("bash-truncated");
    expect(after.output).toMatch(MARKER);
    expect(after.output).toContain(
      "Full output saved to: /home/dev/.local/share/opencode/tool-output/tool_0000\n",
    );
  });
});

describe(verifies("after:throws"), () => {
  it.each([
    [{}, {}],
    [
      { tool: "bash" },
      {
        output: "x",
        get metadata() {
          throw new Error("boom");
        },
      },
    ],
  ])("C1: a result of another form: %#", async (input, output) => {
    await expect(hooks["tool.execute.after"](input, output)).resolves.toBeUndefined();
  });
});

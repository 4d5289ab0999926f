// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answerEvent } from "../src/answer.ts";
import { recoverPart } from "../src/core/recover.ts";
import { readEnv } from "../src/env.ts";
import { readHealth } from "../src/health.ts";
import { monotonicMs } from "../src/io.ts";
import { aggregate } from "../src/measure/aggregate.ts";
import { readRows } from "../src/measure/log.ts";
import type { CallRow } from "../src/measure/row.ts";
import { openStore, STORE_DEFAULTS } from "../src/store/vault.ts";

const FAILURE = "src/parse.c:41:7: error: expected ';' before '}' token\n";
const LINES = Array.from({ length: 2000 }, (_, i) =>
  i === 1200 ? FAILURE : `[${i}/2000] compiling unit number ${i} of the program\n`,
);
const TEXT = LINES.join("");
const RULE = { tool: "*", spilled: "excerpt" };

let home: string;
let file: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "isthmos-excerpt-"));
  mkdirSync(join(home, ".config/isthmos"), { recursive: true });
  mkdirSync(join(home, "p/s1/tool-results"), { recursive: true });
  file = join(home, "p/s1/tool-results/b1.txt");
  writeFileSync(file, TEXT);
  writeRules([RULE]);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const stateDir = (): string => join(home, ".local/state/isthmos");
const codes = (): string[] => readHealth(stateDir()).map(({ code }) => code);
const rows = () => [...readRows({ stateDir: stateDir() })];
const callRow = (): CallRow | undefined => rows().find((row) => row.kind === "call");

function writeRules(rules: readonly object[], mode = "live"): void {
  writeFileSync(join(home, ".config/isthmos/rules.json"), JSON.stringify({ mode, rules }));
}

function store() {
  return openStore({
    ...STORE_DEFAULTS,
    stateDir: stateDir(),
    keyFile: join(home, ".local/share/isthmos/store.key"),
  });
}

function send(event: object, variables: Record<string, string> = {}): unknown {
  const env = readEnv({ HOME: home, ISTHMOS_BUDGET_MS: "60000", ...variables }, () => home);
  const input = new TextEncoder().encode(JSON.stringify(event));
  const answer = answerEvent(input, env, monotonicMs());
  if (answer === undefined) return undefined;
  return JSON.parse(new TextDecoder().decode(answer)).hookSpecificOutput.updatedToolOutput;
}

function toolEvent(tool: string, response: unknown, input: object = {}): object {
  return {
    session_id: "s1",
    transcript_path: join(home, "p/s1.jsonl"),
    hook_event_name: "PostToolUse",
    tool_name: tool,
    tool_input: input,
    tool_response: response,
    tool_use_id: "toolu_1",
  };
}

function bashEvent(path = file, input: object = { command: "make" }): object {
  const stdout = TEXT.slice(0, 30_000);
  return toolEvent(
    "Bash",
    {
      stdout,
      stderr: "",
      interrupted: false,
      isImage: false,
      persistedOutputPath: path,
      persistedOutputSize: TEXT.length,
    },
    input,
  );
}

const noticeEvent = (path = file): object =>
  toolEvent(
    "mcp__t__big",
    `Error: result (122,681 characters across 1 line) exceeds maximum allowed tokens. Output has been saved to ${path}.\nFormat: Plain text\n`,
  );

describe("a Bash result that the client has in a file", () => {
  it("is answered with head, failing line and tail of the file, which is named", () => {
    const answer = send(bashEvent()) as { stdout: string };
    expect(answer).toEqual({ stdout: answer.stdout, stderr: "", interrupted: false, isImage: false });
    const { stdout } = answer;
    const [first = "", second] = stdout.split("\n");
    expect(first).toMatch(
      new RegExp(`^\\[isthmos: excerpt of ${TEXT.length} bytes, 2000 lines, saved in ${file}, full: `),
    );
    expect(second).toBe(LINES[0]?.trimEnd());
    expect(stdout).toContain(FAILURE);
    expect(stdout.endsWith(LINES.at(-1) ?? "-")).toBe(true);
    expect(stdout.length).toBeLessThanOrEqual(20_000);
  });

  it("C6: the file's text is what the store holds, and ranges are of it", () => {
    const { stdout } = send(bashEvent()) as { stdout: string };
    const ids = new Set([...stdout.matchAll(/isthmos reveal ([0-9a-f]{16})/g)].map(([, id = ""]) => id));
    expect(ids.size).toBe(1);
    const loaded = store().load([...ids][0] ?? "");
    if (loaded.status !== "ok") throw new Error(loaded.status);
    expect(new TextDecoder().decode(loaded.bytes)).toBe(TEXT);
    const shown = stdout.split("\n").slice(1).join("\n");
    const whole = shown.replace(/\[isthmos: .*?lines (\d+)-(\d+).*?\]/g, (_marker, from, to) => {
      const part = recoverPart(loaded.bytes, { lines: { from: Number(from), to: Number(to) } });
      return "bytes" in part ? new TextDecoder().decode(part.bytes).replace(/\n$/, "") : "-";
    });
    expect(whole).toBe(TEXT);
  });

  it("C14: it is booked against the preview, with its sign", () => {
    const { stdout } = send(bashEvent()) as { stdout: string };
    expect(callRow()).toMatchObject({ excerpt: true, outBytes: stdout.length, rules: [0] });
    expect(callRow()?.inBytes).toBeGreaterThan(1000 + file.length);
    expect(callRow()?.inBytes).toBeLessThan(2200 + file.length);
    const { total } = aggregate(rows()).live;
    expect(total).toMatchObject({ excerpts: 1 });
    expect(total.saved).toBe((callRow()?.inBytes ?? 0) - stdout.length);
    expect(total.saved).toBeLessThan(0);
  });

  it("C14: where the client showed its preview all the same, nothing is claimed", () => {
    send(bashEvent());
    const tool_response = `<persisted-output>${"x".repeat(2190)}`;
    send({
      session_id: "s1",
      hook_event_name: "PostToolBatch",
      tool_calls: [{ tool_name: "Bash", tool_input: {}, tool_use_id: "toolu_1", tool_response }],
    });
    const { total } = aggregate(rows()).live;
    expect(total).toMatchObject({ excerpts: 0, rejected: 1, saved: 0 });
  });

  it("C2: without the rule's word the client's preview stays", () => {
    writeRules([{ tool: "*", max_lines: 20 }]);
    expect(send(bashEvent())).toBeUndefined();
    expect(callRow()).not.toHaveProperty("excerpt");
  });

  it.each([
    ["a rule's min_bytes above the file's size", { min_bytes: TEXT.length + 1 }, false],
    ["a rule's min_bytes at the file's size", { min_bytes: TEXT.length }, true],
    ["a stricter budget", { max_bytes: 3000 }, true],
  ])("%s", (_name, fields, answered) => {
    writeRules([{ ...RULE, ...fields }]);
    const answer = send(bashEvent()) as { stdout: string } | undefined;
    expect(answer !== undefined).toBe(answered);
    if ("max_bytes" in fields) expect(answer?.stdout.length).toBeLessThan(3300);
  });

  it("shadow: measured, and nothing is stored or changed", () => {
    writeRules([RULE], "shadow");
    expect(send(bashEvent())).toBeUndefined();
    expect(callRow()).toMatchObject({ excerpt: true, shadow: true });
    expect(store().load("0123456789abcdef").status).toBe("not_found");
  });

  it.each<[string, (path: string) => void]>([
    ["is missing", (path) => rmSync(path)],
    [
      "is a link",
      (path) => {
        rmSync(path);
        symlinkSync("/etc/hostname", path);
      },
    ],
    [
      "is a folder",
      (path) => {
        rmSync(path);
        mkdirSync(path);
      },
    ],
    ["is above the payload bound", (path) => truncateSync(path, 32 * 1024 * 1024 + 1)],
  ])("C1: the preview stays where the file %s, and the reason is on record", (_name, spoil) => {
    spoil(file);
    expect(send(bashEvent())).toBeUndefined();
    expect(codes()).toEqual(["spill_unreadable"]);
  });

  it("C13: a file elsewhere is never read", () => {
    const secret = join(home, "secret.txt");
    writeFileSync(secret, TEXT);
    expect(send(bashEvent(secret))).toBeUndefined();
    expect(send(noticeEvent(secret))).toBeUndefined();
    expect(codes()).toEqual([]);
  });

  it("C10: what isthmos gave back is left to the client", () => {
    expect(send(bashEvent(file, { command: "isthmos reveal 0123456789abcdef" }))).toBeUndefined();
    expect(send(bashEvent(file, { command: `cat ${file}` }))).toBeUndefined();
  });

  it("C8: a file that is one diff stays whole, and so with the client", () => {
    const added = Array.from({ length: 900 }, (_, i) => `+added line number ${i} of the file\n`);
    writeFileSync(file, `--- a/x\n+++ b/x\n@@ -0,0 +1,900 @@\n${added.join("")}`);
    expect(send(bashEvent())).toBeUndefined();
  });

  it("without a store nothing can be cut", () => {
    const text = JSON.stringify({ store: { enabled: false }, rules: [RULE] });
    writeFileSync(join(home, ".config/isthmos/rules.json"), text);
    expect(send(bashEvent())).toBeUndefined();
  });

  it("what is no UTF-8 is shown as the client would", () => {
    writeFileSync(file, Buffer.concat([Buffer.from([0x61, 0xff, 0x0a]), Buffer.from(TEXT)]));
    const { stdout } = send(bashEvent()) as { stdout: string };
    expect(stdout.split("\n")[1]).toBe("a\ufffd");
  });
});

describe("an MCP result above the client's token limit", () => {
  it("is answered with an excerpt of the file that the notice names", () => {
    const answer = String(send(noticeEvent()));
    expect(answer).toContain(`2000 lines, saved in ${file}, full: `);
    expect(answer).toContain(FAILURE);
    expect(answer.length).toBeLessThanOrEqual(20_000);
  });

  it("JSON in the file stays JSON behind the first line", () => {
    writeFileSync(file, JSON.stringify({ state: "failed", log: TEXT, next: null }));
    const answer = String(send(noticeEvent()));
    const document = JSON.parse(answer.slice(answer.indexOf("\n") + 1));
    expect(document).toMatchObject({ state: "failed", next: null });
    expect(document.log).toContain(FAILURE);
    expect(document.log).toContain("field /log, full: isthmos reveal ");
  });
});

describe("a result that the client would spill after the hook", () => {
  it.each([
    [
      "MCP blocks",
      "mcp__t__log",
      [
        { type: "text", text: TEXT },
        { type: "text", text: "two" },
      ],
    ],
    ["an MCP text", "mcp__t__log", TEXT],
    ["Grep", "Grep", { mode: "content", numFiles: 0, filenames: [], content: TEXT, numLines: 2000 }],
  ])("C2: %s comes below the size from which it does", (_name, tool, response) => {
    const answer = JSON.stringify(send(toolEvent(tool, response)));
    expect(answer.length).toBeLessThanOrEqual(20_600);
    expect(answer).toContain("error: expected");
    expect(answer).toContain("isthmos reveal");
    expect(callRow()).toMatchObject({ excerpt: true });
    expect(callRow()?.inBytes).toBeLessThan(2600);
  });

  it("S9: an array of small items stays, and so with the client", () => {
    const text = JSON.stringify(Array.from({ length: 4000 }, (_, i) => ({ id: i, ok: true })));
    expect(send(toolEvent("mcp__t__list", [{ type: "text", text }]))).toBeUndefined();
  });

  it("Read results go inline, whatever their size", () => {
    const lines = { numLines: 2000, startLine: 1, totalLines: 2000 };
    const response = { type: "text", file: { filePath: "/x", content: TEXT, ...lines } };
    expect(send(toolEvent("Read", response))).toBeUndefined();
  });
});

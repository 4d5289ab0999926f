// SPDX-License-Identifier: Apache-2.0
// The first event of a session must not pay for loading and compiling: right after the greeting a few made-up events
// go the whole way, in a temporary folder of their own and in small steps, so that messages are served in between.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Env, Setting } from "../env.ts";
import { readSetup } from "../setup.ts";
import { type KeyPurpose, openKeys } from "../store/key.ts";
import { type Fields, toFields } from "./event.ts";

/** So often does the compiler need to see a small event before it has its fastest form. */
const SMALL_ROUNDS = 24;
const LARGE_ROUNDS = 6;
const LARGE_BYTES = 100 * 1024;
const PURPOSES: readonly KeyPurpose[] = ["id", "seal", "seen"];
const RULES = {
  rules: [
    { tool: "{mcp__warm__*,WebFetch}", drop_keys: ["node_id", "*_url"], max_items: 20, max_str: 2000 },
    { tool: "Bash", max_lines: 16, dedup: true },
  ],
};

/** Runs the samples through the answer that `open` makes of an Env; ends early when the returned function is called. */
export function startWarming(env: Env, open: (env: Env) => (fields: Fields) => unknown): () => void {
  let folder: string | undefined;
  const remove = () => {
    if (folder === undefined) return;
    rmSync(folder, { recursive: true, force: true });
    folder = undefined;
  };
  const stop = () => {
    try {
      remove();
    } catch {
      // A few kilobytes without anyone's data.
    }
  };
  try {
    folder = mkdtempSync(join(process.getBuiltinModule("node:os").tmpdir(), "isthmos-warm-"));
    const answer = open(warmEnv(env, folder));
    const samples = makeSamples();
    const step = () => {
      try {
        const sample = folder === undefined ? undefined : samples.next().value;
        if (sample !== undefined) {
          answer(sample);
          setImmediate(step);
        } else if (folder !== undefined) {
          stop();
          readAhead(env);
        }
      } catch {
        stop();
      }
    };
    setImmediate(step);
  } catch {
    // Nowhere to write: the first call is then slower, and right all the same.
    stop();
  }
  return stop;
}

/** What the first call would read: the rules, and the key if there is one and nobody must be asked for it. */
function readAhead(env: Env): void {
  readSetup(env);
  const key = openKeys(env.keyFile.value)();
  if (key.state === "ok" && key.kind === "file") for (const purpose of PURPOSES) key.keys(purpose);
}

function warmEnv(env: Env, folder: string): Env {
  const set = <T>(value: T): Setting<T> => ({ value, source: "default" });
  mkdirSync(join(folder, "state"), { mode: 0o700 });
  writeFileSync(join(folder, "rules.json"), JSON.stringify(RULES));
  return {
    ...env,
    rulesFile: set(join(folder, "rules.json")),
    stateDir: set(join(folder, "state")),
    keyFile: set(join(folder, "store.key")),
    shadow: set(false),
    disabled: set(false),
    noDedup: set(false),
    budgetMs: set(60_000),
  };
}

function* makeSamples(): Generator<Fields> {
  const session_id = "warm";
  yield toFields({ hook_event_name: "SessionStart", session_id, source: "startup" });
  for (let round = 0; round < LARGE_ROUNDS; round++) {
    const result = makeItems(round, LARGE_BYTES / 250);
    yield event("WebFetch", `toolu_l${round}`, JSON.stringify({ bytes: result.length, code: 200, result }));
  }
  // Last what is most often asked.
  for (let round = 0; round < SMALL_ROUNDS; round++) {
    const useId = `toolu_${round}`;
    const log = makeLog(round, 60);
    yield bash(useId, log);
    yield bash(`${useId}b`, `${round} ok\n`.repeat(700));
    yield event("mcp__warm__list", useId, JSON.stringify([{ type: "text", text: makeItems(round, 40) }]));
    if (round % 4 !== 0) continue;
    const calls = [{ tool_name: "Bash", tool_input: {}, tool_use_id: useId, tool_response: log }];
    yield toFields({ hook_event_name: "PostToolBatch", session_id, tool_calls: JSON.stringify(calls) });
  }
}

function bash(useId: string, stdout: string): Fields {
  return event("Bash", useId, JSON.stringify({ stdout, stderr: "", interrupted: false, isImage: false }));
}

function event(tool: string, useId: string, response: string): Fields {
  return toFields({
    hook_event_name: "PostToolUse",
    session_id: "warm",
    tool_name: tool,
    tool_use_id: useId,
    tool_input: '{"command":"make test"}',
    tool_response: response,
  });
}

function makeLog(round: number, lines: number): string {
  return Array.from({ length: lines }, (_, i) =>
    i === lines / 2
      ? `error: part ${round} failed\n`
      : `[${i}] compiled part-${(i * 31) % 997} in ${round} ms\n`,
  ).join("");
}

function makeItems(round: number, count: number): string {
  const items = Array.from({ length: Math.ceil(count) }, (_, number) => ({
    number,
    node_id: `I_${round}_${number}`,
    html_url: `https://example.com/${number}`,
    title: number % 9 === 0 ? "Größe der Spalte" : `Item ${number} of round ${round}`,
    state: number === 5 ? "failure" : "open",
    labels: [{ name: "bug", default: true }],
    body: 'Steps:\r\n1. open "two" tabs\r\n2. close the first, and press reload\r\n',
  }));
  return JSON.stringify(items);
}

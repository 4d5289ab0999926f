// SPDX-License-Identifier: Apache-2.0
// C12 as scenarios: every session of reference-scenarios.ts, on each way in which events reach the engine.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answerEvent } from "../../src/answer.ts";
import { type Env, readEnv } from "../../src/env.ts";
import { monotonicMs } from "../../src/io.ts";
import { buildEvent, toFields } from "../../src/mcp/event.ts";
import { readSetup } from "../../src/setup.ts";
import { openStore } from "../../src/store/vault.ts";
import {
  answeredText,
  batch,
  type Call,
  citedIds,
  compaction,
  sessionStart,
  toolResult,
} from "../support/events.ts";
import { REFERENCE_SCENARIOS, type ScenarioCall, type Step } from "./reference-scenarios.ts";

const LIMIT = 50;
const TEXTS: ReadonlyMap<string, string> = new Map([
  ["A", `${"alpha, a line that no rule cuts ".repeat(180)}\n`],
  ["B", `${"beta, another line that no rule cuts ".repeat(180)}\n`],
  ["Long", Array.from({ length: 300 }, (_, n) => `step ${n} of a build that is cut\n`).join("")],
  ["Short", "a few words\n"],
]);

function textOf({ text, change }: ScenarioCall): string {
  const whole = TEXTS.get(text) ?? "";
  switch (change) {
    case "one byte":
      return whole.replace("a line", "a Line");
    case "a final line end less":
      return whole.slice(0, -1);
    case "CRLF":
      return whole.replaceAll("\n", "\r\n");
    case "a byte appended":
      return `${whole}x`;
    default:
      return whole;
  }
}

/** What the host says it gave the model, where we answered `answer` to `text`. */
function deliveredOf({ delivered }: ScenarioCall, text: string, answer: string | undefined): string {
  switch (delivered) {
    case "preview":
      return `<persisted-output>\nOutput too large. Full output saved to: /tmp/x\n\n${text.slice(0, 2000)}`;
    case "foreign":
      return "[redacted]";
    case "changed by one byte":
      return text.replace("line", "lime");
    case "original":
      return text;
    default:
      return answer ?? text;
  }
}

/** As the client hands an event over to a server: a string as it is, anything else as JSON text. */
function byFields(event: string): Uint8Array {
  const fields = Object.entries(JSON.parse(event)).map(([name, value]) => {
    return [name, typeof value === "string" ? value : JSON.stringify(value)];
  });
  return buildEvent(toFields(Object.fromEntries(fields)));
}

describe.each<[route: string, toInput: (event: string) => Uint8Array]>([
  ["the hook command", (event) => Buffer.from(event)],
  ["the resident server", byFields],
])("C12: the scenarios, by %s", (_route, toInput) => {
  let home: string;
  let env: Env;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "isthmos-c12-"));
    mkdirSync(join(home, ".config/isthmos"), { recursive: true });
    writeFileSync(
      join(home, ".config/isthmos/rules.json"),
      JSON.stringify({ rules: [{ tool: "*", max_lines: LIMIT }] }),
    );
    // A busy machine must not turn an answer into the original.
    env = readEnv({ HOME: home, ISTHMOS_BUDGET_MS: "60000" }, () => home);
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const send = (event: string) => answerEvent(toInput(event), env, monotonicMs()) ?? new Uint8Array();

  it("are many, and more than half of them must give no reference", () => {
    const last = REFERENCE_SCENARIOS.map(({ steps }) => steps.findLast((step) => "turn" in step));
    const refused = last.filter((step) => step?.turn.every(({ gets }) => gets !== "reference"));
    expect(REFERENCE_SCENARIOS.length).toBeGreaterThanOrEqual(30);
    expect(refused.length).toBeGreaterThan(REFERENCE_SCENARIOS.length / 2);
  });

  it.each(REFERENCE_SCENARIOS.map((scenario) => [scenario.name, scenario.steps] as const))(
    "%s",
    (_, steps) => {
      let uses = 0;
      for (const step of steps) play(step, () => `use-${++uses}`);
    },
  );

  function play(step: Step, nextUse: () => string): void {
    if ("turn" in step) playTurn(step.turn, nextUse);
    else if ("start" in step) send(sessionStart(step.start, step.session ? { session: step.session } : {}));
    else if ("compaction" in step) send(compaction(step.compaction, step.agent ? { agent: step.agent } : {}));
    else if ("minutesPass" in step) age(step.minutesPass);
    else if ("restart" in step) env = readEnv({ HOME: home, ISTHMOS_BUDGET_MS: "60000" }, () => home);
    else if (step.lose === "the key") rmSync(env.keyFile.value);
    else if (step.lose === "the seen index") rmSync(join(env.stateDir.value, "seen"), { recursive: true });
    else rmSync(join(env.stateDir.value, "store"), { recursive: true });
  }

  function playTurn(calls: readonly ScenarioCall[], nextUse: () => string): void {
    const reports: Call[] = [];
    for (const call of calls) {
      const { tool, session, agent, input, startLine } = call;
      const who = { ...(session && { session }), ...(agent && { agent }) };
      const what = { ...(tool && { tool }), ...(input && { input }), ...(startLine && { startLine }) };
      const text = textOf(call);
      const made: Call = { ...who, ...what, useId: nextUse(), text };
      const answer = answeredText(send(toolResult(made)));
      expect(kindOf(answer), JSON.stringify(call)).toBe(call.gets);
      if (call.gets === "reference") expectOriginal(answer ?? "", text);
      if (call.delivered !== "not reported") reports.push({ ...made, text: deliveredOf(call, text, answer) });
    }
    if (reports.length > 0) send(batch(reports));
  }

  function kindOf(answer: string | undefined): ScenarioCall["gets"] {
    if (answer === undefined) return "whole";
    return answer.startsWith("[isthmos: identical to an earlier ") ? "reference" : "cut";
  }

  /** Its entry is there before the reference is, and holds exactly the text. */
  function expectOriginal(reference: string, text: string): void {
    const [id = ""] = citedIds(reference);
    const loaded = openStore(readSetup(env).store).load(id);
    expect(loaded.status).toBe("ok");
    if (loaded.status === "ok") expect(Buffer.from(loaded.bytes).toString()).toBe(text);
  }

  /** Every proof of a delivery becomes this much older. */
  function age(minutes: number): void {
    const seen = join(env.stateDir.value, "seen");
    for (const name of readdirSync(seen, { recursive: true }).map(String)) {
      const path = join(seen, name);
      const { mtimeMs } = statSync(path);
      if (/\d+-[0-9a-f]{8}$/.test(name)) utimesSync(path, new Date(), new Date(mtimeMs - minutes * 60_000));
    }
  }
});

// SPDX-License-Identifier: Apache-2.0
// `isthmos doctor`: what is wrong and the next step. It runs what is wired on a sample, in a folder to throw away; of
// the user's it changes nothing, not even a key is made, unless `--fix` is given.
import type { Env } from "../env.ts";
import type { Io } from "../io.ts";
import { checkCalls, checkReveals } from "./doctor/calls.ts";
import { checkClient } from "./doctor/client.ts";
import { type Facts, gatherFacts } from "./doctor/facts.ts";
import { checkFailures } from "./doctor/failures.ts";
import type { Check, Finding } from "./doctor/finding.ts";
import { fix } from "./doctor/fix.ts";
import { countLevels, formatJson, formatReport } from "./doctor/format.ts";
import { checkLog } from "./doctor/log.ts";
import { checkEnv, checkMode } from "./doctor/mode.ts";
import { checkPrivate } from "./doctor/private.ts";
import { lookAround, type Reality } from "./doctor/reality.ts";
import { checkRewrites } from "./doctor/rewrites.ts";
import { checkRoutes } from "./doctor/routes.ts";
import { checkRules } from "./doctor/rules.ts";
import { checkServer } from "./doctor/server.ts";
import { checkKey, checkStore } from "./doctor/store.ts";
import { checkTrial } from "./doctor/trial.ts";
import { checkWiring } from "./doctor/wiring.ts";

/** The second argument is missing where nothing could be tried. */
type Look = (facts: Facts, reality: Reality | undefined) => Finding[];

const CHECKS: readonly (readonly [Check, Look])[] = [
  ["rules", checkRules],
  ["mode", checkMode],
  ["env", checkEnv],
  ["key", checkKey],
  ["store", checkStore],
  ["log", checkLog],
  ["private", checkPrivate],
  ["hook", checkWiring],
  ["client", (facts, reality) => (reality === undefined ? [] : checkClient(facts, reality.client))],
  ["trial", (facts, reality) => (reality === undefined ? [] : checkTrial(facts, reality))],
  ["server", (facts, reality) => (reality === undefined ? [] : checkServer(facts, reality))],
  ["matcher", checkRoutes],
  ["calls", checkCalls],
  ["rewrites", (facts, reality) => (reality === undefined ? [] : checkRewrites(facts, reality))],
  ["reveals", checkReveals],
  ["failures", checkFailures],
];

export interface DoctorOptions {
  readonly json: boolean;
  /** Mend what is safe to mend. */
  readonly fix: boolean;
}

/** Looks at what settings and log cannot tell; undefined leaves it out. */
export type LookAround = (facts: Facts) => Promise<Reality | undefined>;

/** Exit code 0, or 1 if something is broken. Never throws: a check that fails is a finding. */
export async function run(
  options: DoctorOptions,
  env: Env,
  io: Io,
  look: LookAround = lookAround,
): Promise<number> {
  const { findings, facts, reality } = await runChecks(options, env, io.now.getTime(), look);
  io.stdout(
    options.json
      ? formatJson(findings, { facts, reality })
      : formatReport(findings, io.isTerminal && env.colour),
  );
  return countLevels(findings).broken === 0 ? 0 : 1;
}

interface Examined {
  readonly findings: Finding[];
  readonly facts?: Facts | undefined;
  readonly reality?: Reality | undefined;
}

async function runChecks(
  { fix: mend }: DoctorOptions,
  env: Env,
  now: number,
  look: LookAround,
): Promise<Examined> {
  let facts: Facts;
  try {
    facts = gatherFacts(env, now);
  } catch (error) {
    return { findings: [explainFailure("rules", error)] };
  }
  const findings: Finding[] = [];
  let reality: Reality | undefined;
  try {
    reality = await look(facts);
  } catch (error) {
    findings.push(explainFailure("trial", error));
  }
  if (mend && reality !== undefined) {
    const mended = fix(facts, reality);
    const isDone = mended.length > 0;
    findings.push(
      ...(isDone ? mended : [{ check: "fix", level: "ok", message: "nothing to mend" } as const]),
    );
    // What was booked is in the log now.
    if (isDone) facts = gatherFacts(env, now);
    reality = { ...reality, transcripts: withoutCalls(reality) };
  }
  for (const [check, lookAt] of CHECKS) {
    try {
      findings.push(...lookAt(facts, reality));
    } catch (error) {
      findings.push(explainFailure(check, error));
    }
  }
  return { findings, facts, reality };
}

function withoutCalls({ transcripts }: Reality): Reality["transcripts"] {
  return { ...transcripts, refusals: transcripts.refusals.map(({ call: _, ...refusal }) => refusal) };
}

function explainFailure(check: Check, error: unknown): Finding {
  const reason = error instanceof Error ? error.message : String(error);
  return { check, level: "broken", message: `could not be looked at: ${reason}`, hint: "report this" };
}

// SPDX-License-Identifier: Apache-2.0
// `isthmos doctor`: what is wrong and the next step. It looks and changes nothing, not even a key is made.
import type { Env } from "../env.ts";
import type { Io } from "../io.ts";
import { checkCalls, checkReveals } from "./doctor/calls.ts";
import { type Facts, gatherFacts } from "./doctor/facts.ts";
import { checkFailures } from "./doctor/failures.ts";
import type { Check, Finding } from "./doctor/finding.ts";
import { countLevels, formatJson, formatReport } from "./doctor/format.ts";
import { checkLog } from "./doctor/log.ts";
import { checkEnv, checkMode } from "./doctor/mode.ts";
import { checkPrivate } from "./doctor/private.ts";
import { checkRoutes } from "./doctor/routes.ts";
import { checkRules } from "./doctor/rules.ts";
import { checkKey, checkStore } from "./doctor/store.ts";
import { checkWiring } from "./doctor/wiring.ts";

const CHECKS: readonly (readonly [Check, (facts: Facts) => Finding[]])[] = [
  ["rules", checkRules],
  ["mode", checkMode],
  ["env", checkEnv],
  ["key", checkKey],
  ["store", checkStore],
  ["log", checkLog],
  ["private", checkPrivate],
  ["hook", checkWiring],
  ["matcher", checkRoutes],
  ["calls", checkCalls],
  ["reveals", checkReveals],
  ["failures", checkFailures],
];

/** Exit code 0, or 1 if something is broken. Never throws: a check that fails is a finding. */
export async function run({ json }: { readonly json: boolean }, env: Env, io: Io): Promise<number> {
  const findings = runChecks(env, io.now.getTime());
  io.stdout(json ? formatJson(findings) : formatReport(findings, io.isTerminal && env.colour));
  return countLevels(findings).broken === 0 ? 0 : 1;
}

function runChecks(env: Env, now: number): Finding[] {
  let facts: Facts;
  try {
    facts = gatherFacts(env, now);
  } catch (error) {
    return [explainFailure("rules", error)];
  }
  return CHECKS.flatMap(([check, look]) => {
    try {
      return look(facts);
    } catch (error) {
      return [explainFailure(check, error)];
    }
  });
}

function explainFailure(check: Check, error: unknown): Finding {
  const reason = error instanceof Error ? error.message : String(error);
  return { check, level: "broken", message: `could not be looked at: ${reason}`, hint: "report this" };
}

// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../build/project.ts";

/** A rules file that is the profile and nothing else. */
export const PROFILE_RULES = JSON.stringify({ rules: [{ tool: "*", profile: "sutra" }] });

/** The starter rules as they would act live. */
export function readStarterRules(): string {
  return readFileSync(join(ROOT, "rules.example.json"), "utf8").replace('"mode": "shadow"', '"mode": "live"');
}

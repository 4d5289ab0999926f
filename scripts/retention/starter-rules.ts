// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type LoadedRules, parseRules } from "../../src/index.ts";
import { ROOT } from "../build/project.ts";

/** The rules that ship as an example, live. */
export function loadStarterRules(): LoadedRules["settings"] {
  const { settings } = parseRules(readFileSync(join(ROOT, "rules.example.json"), "utf8"));
  return { ...settings, mode: "live" };
}

// SPDX-License-Identifier: Apache-2.0

import { logFile } from "../../measure/log.ts";
import { formatCount } from "../../measure/units.ts";
import { explainFile } from "./access.ts";
import type { Facts } from "./facts.ts";
import type { Finding } from "./finding.ts";

/** Can the measurement log be written and read? */
export function checkLog({ env, traffic, show }: Facts): Finding[] {
  const check = "log";
  const stateDir = env.stateDir.value;
  const file = show(logFile(stateDir));
  const problem = explainFile(logFile(stateDir), show);
  if (problem !== undefined) {
    const hint = "nothing can be measured: put it right, or set ISTHMOS_STATE_DIR";
    return [{ check, level: "broken", message: `the log cannot be written: ${problem}`, hint }];
  }
  if (traffic.problem !== undefined) {
    const message = `the log cannot be read to its end (${traffic.problem}): ${file}`;
    return [{ check, level: "broken", message, hint: "move the file away that cannot be read" }];
  }
  const findings: Finding[] = [{ check, level: "ok", message: file }];
  if (traffic.skipped > 0) {
    const message = `${formatCount(traffic.skipped, "line")} of the log cannot be read: left out`;
    findings.push({ check, level: "note", message });
  }
  return findings;
}

// SPDX-License-Identifier: Apache-2.0
import type { Facts } from "./facts.ts";
import type { Finding } from "./finding.ts";

/** Which mode is on, and who says so. */
export function checkMode({ env, setup, show }: Facts): Finding[] {
  const check = "mode";
  const { mode, loaded } = setup;
  if (mode === "live") return [{ check, level: "ok", message: "live" }];
  const variable = [env.disabled, env.shadow].find(({ value }) => value)?.source;
  const source = variable ?? show(loaded.path);
  const hint = variable === undefined ? `set "mode" to "live" in ${source}` : `unset ${variable}`;
  if (mode === "off") {
    const message = `off (${source}): nothing is changed, nothing is measured`;
    return [{ check, level: "note", message, hint: `${hint} to turn isthmos on` }];
  }
  const message = `shadow (${source}): computed and measured, nothing is changed`;
  return [{ check, level: "note", message, hint: `${hint} once isthmos stats shows that it is worth it` }];
}

/** Variables that cannot be used, and what others turn off. */
export function checkEnv({ env }: Facts): Finding[] {
  const findings = env.problems.map(
    (message): Finding => ({ check: "env", level: "warning", message: `${message}: the default is used` }),
  );
  if (env.noDedup.value) {
    const message = `${env.noDedup.source} is set: no references to earlier results`;
    findings.push({ check: "env", level: "note", message });
  }
  return findings;
}

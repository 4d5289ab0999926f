// SPDX-License-Identifier: Apache-2.0
import { formatCount } from "../../measure/units.ts";
import type { Facts } from "./facts.ts";
import type { Finding } from "./finding.ts";

/** Is there a rules file, can it be used, and all of it? */
export function checkRules({ setup, show }: Facts): Finding[] {
  const { path, status, reason, settings, problems } = setup.loaded;
  const file = show(path);
  const check = "rules";
  if (status === "missing") {
    const message = `no rules file ${file}: nothing is changed`;
    return [{ check, level: "note", message, hint: "run isthmos init, which writes a starter" }];
  }
  if (status === "unreadable") {
    const hint = "until then nothing is changed";
    return [{ check, level: "broken", message: `cannot read ${file}: ${reason}`, hint }];
  }
  const found = problems.map(({ line, column, message, severity }): Finding => {
    const level = severity === "error" ? "broken" : "warning";
    return { check, level, message: `${file}:${line}:${column}: ${message}` };
  });
  if (status === "invalid") return withHint(found, "put it right; until then there are no rules");
  const count = formatCount(settings.rules.length, "rule");
  const level = settings.rules.length === 0 ? "note" : "ok";
  const effect = settings.rules.length === 0 ? ": nothing is changed" : "";
  return [{ check, level, message: `${count} in ${file}${effect}` }, ...withHint(found, "put it right")];
}

/** One hint is enough, under the last. */
function withHint(findings: readonly Finding[], hint: string): Finding[] {
  return findings.map((finding, i) => (i === findings.length - 1 ? { ...finding, hint } : finding));
}

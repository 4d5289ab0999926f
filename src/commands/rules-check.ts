// SPDX-License-Identifier: Apache-2.0
// `isthmos rules check`: the problems of a rules file, one a line as compilers print them, or what its rules do.
import { describeRule } from "../core/rules/describe.ts";
import type { Env } from "../env.ts";
import type { Io } from "../io.ts";
import { cleanName, reportError } from "../report.ts";
import { type LoadedRules, loadRulesFile } from "../rules-file.ts";

/** Room for a path of the longest kind (4,096 bytes), or many keys. */
const LINE_MAX_BYTES = 5000;

export interface RulesCheckArgs {
  /** Default: the rules file that `hook` reads. */
  readonly file?: string;
  readonly json?: boolean;
}

/** Answers the exit code: 0 clean, 1 problems or no such file. */
export async function run(args: RulesCheckArgs, env: Env, io: Io): Promise<number> {
  const loaded = loadRulesFile(args.file ?? env.rulesFile.value);
  // Without a rules file nothing is wrong, but a file that was asked for must be there.
  const isLost = loaded.status === "missing" && args.file !== undefined;
  const code = loaded.problems.length > 0 || isLost ? 1 : 0;
  if (args.json) io.stdout(`${JSON.stringify(toJson(loaded), undefined, 2)}\n`);
  else if (isLost) reportError(`cannot read rules ${loaded.path}: no such file`);
  else if (loaded.status === "unreadable") reportError(`cannot read rules ${loaded.path}: ${loaded.reason}`);
  else
    io.stdout(
      toLines(loaded)
        .map((line) => `${cleanName(line, LINE_MAX_BYTES)}\n`)
        .join(""),
    );
  return code;
}

function toLines({ path, status, settings, problems }: LoadedRules): string[] {
  if (status === "missing") return [`${path}: no rules file, so nothing is changed`];
  if (problems.length > 0) {
    return problems.map(
      ({ line, column, severity, message }) => `${path}:${line}:${column}: ${severity}: ${message}`,
    );
  }
  const { mode, rules, store } = settings;
  const count = rules.length === 1 ? "1 rule" : `${rules.length} rules`;
  return [
    `${path}: ${count}, no problems, mode ${mode}`,
    ...(store.enabled ? [] : ["store: off, so nothing is cut that could not be given back"]),
    ...rules.map((rule) => `rule ${rule.index + 1}, ${rule.tool || "the empty name"}: ${describeRule(rule)}`),
  ];
}

function toJson({ path, status, reason, settings, problems }: LoadedRules): object {
  const { mode, store } = settings;
  const rules = settings.rules.map((rule) => ({
    rule: rule.index,
    tool: rule.tool,
    does: describeRule(rule),
  }));
  return { file: path, status, ...(reason !== undefined && { reason }), mode, store, rules, problems };
}

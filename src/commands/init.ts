// SPDX-License-Identifier: Apache-2.0
// `isthmos init`: wires isthmos into an agent, writes starter rules, sets the mode. What is to be changed is worked
// out for all files before the first is written.
import { parseRules } from "../core/rules/parse.ts";
import type { Mode } from "../core/rules/settings.ts";
import type { Env } from "../env.ts";
import type { Installer, Program, Route, Scope } from "../hosts/installer.ts";
import { findClient } from "../install/client.ts";
import { diffLines, showLine } from "../install/diff.ts";
import { install, type Outcome } from "../install/install.ts";
import { InstallError } from "../install/install-error.ts";
import { installers } from "../install/installers.ts";
import { findProgram } from "../install/program.ts";
import { loadRecord, type Wired } from "../install/record.ts";
import { editRules } from "../install/rules.ts";
import { readTarget, textOf } from "../install/target.ts";
import type { Io } from "../io.ts";
import { selfCommand } from "../io.ts";
import { JsoncError } from "../jsonc/document.ts";
import { cleanName, reportError, reportNotice } from "../report.ts";
import { showPath } from "./doctor/finding.ts";

export interface InitArgs {
  readonly installer?: Installer;
  readonly mode?: Mode;
  readonly scope?: Scope;
  readonly route?: Route;
  readonly matcher?: string;
  readonly dryRun?: boolean;
  /** Only print the entry for another MCP client. */
  readonly print?: boolean;
}

const PATH_MAX_BYTES = 4096;

/** Answers what was done, file by file, and the next step; 0 done or nothing to do, 1 failed with nothing changed. */
export async function run(args: InitArgs, env: Env, io: Io, self: Program = selfCommand()): Promise<number> {
  try {
    if (args.print) {
      const [command, ...words] = findProgram(self, env.searchPath);
      const entry = { mcpServers: { isthmos: { command, args: [...words, "mcp"] } } };
      io.stdout(`${JSON.stringify(entry, undefined, 2)}\n`);
      return 0;
    }
    await wire(args, env, io, self);
    return 0;
  } catch (error) {
    if (error instanceof InstallError) reportError(error.message, error.hint);
    else if (error instanceof JsoncError) reportError(error.message, "run isthmos init --help");
    else throw error;
    return 1;
  }
}

async function wire(args: InitArgs, env: Env, io: Io, self: Program): Promise<void> {
  const { installer = installers[0], scope = "user", route = "auto", dryRun = false } = args;
  const folder = env.cwd;
  if (folder === undefined && scope !== "user") {
    throw new InstallError("this folder is gone", "go to the project's folder, then try again");
  }
  const program = findProgram(self, env.searchPath);
  const client = await findClient(installer.client, env);
  const request = { scope, folder, env, program, client, route, matcher: args.matcher };
  const plan = installer.install(request, (path) => textOf(readTarget(path)));
  const place: Wired = {
    agent: installer.name,
    scope,
    ...(scope !== "user" && folder !== undefined && { folder }),
  };
  const record = loadRecord(env.stateDir.value);
  const isFirst = record.wired.length === 0 && record.rules === undefined;
  const rules = editRules(env.rulesFile.value, args.mode ?? (isFirst ? "shadow" : undefined));
  const outcomes = await install(plan.files, rules, { place, env, client, now: io.now, dryRun });

  const version = client?.version === undefined ? "" : ` ${client.version}`;
  const mode = modeOf(outcomes[0]?.change.after);
  const where = `${installer.title}${version}, ${scope} scope, ${plan.route} route, mode ${mode}`;
  const isChanged = outcomes.some(({ change }) => change.isChange);
  io.stdout(`${headline(isChanged, dryRun)}: ${where}\n\n`);
  for (const outcome of outcomes) io.stdout(describe(outcome, env.home, dryRun));
  const notes = isChanged ? [...plan.notes, ...explainVariables(env)] : [];
  for (const note of notes) reportNotice(note);
  if (!dryRun) io.stdout(nextStep(installer.title, isChanged, mode));
}

function modeOf(rules: Uint8Array | undefined): Mode {
  return parseRules(new TextDecoder().decode(rules)).settings.mode;
}

function headline(isChanged: boolean, dryRun: boolean): string {
  if (!isChanged) return "already set up";
  return dryRun ? "would set up" : "set up";
}

function describe({ change, byClient, backup }: Outcome, home: string, dryRun: boolean): string {
  const { target, after, edit, isChange } = change;
  const verb = !isChange ? "as it was" : target.bytes === undefined ? "created" : "changed";
  const show = (path: string) => cleanName(showPath(path, home), PATH_MAX_BYTES);
  const through = target.real === target.path ? "" : ` -> ${show(target.real)}`;
  const how = byClient ? `, by the agent's own command` : "";
  const lines = [`  ${verb}  ${show(target.path)}${through}  (${edit.what}${how})`];
  if (backup !== undefined) lines.push(`             backup: ${show(backup)}`);
  if (dryRun && isChange) {
    const text = after === undefined ? "" : new TextDecoder().decode(after);
    lines.push(...diffLines(textOf(target) ?? "", text).map(showLine));
  }
  return `${lines.join("\n")}\n`;
}

/** Hooks see the variables of the agent, not those of this shell. */
function explainVariables(env: Env): string[] {
  const settings = [env.rulesFile, env.stateDir, env.keyFile];
  const names = settings.map(({ source }) => source).filter((source) => source.startsWith("ISTHMOS_"));
  if (names.length === 0) return [];
  return [`${names.join(", ")}: set here; the agent must be started with the same`];
}

function nextStep(title: string, isChanged: boolean, mode: Mode): string {
  if (!isChanged) return "\n";
  const then =
    mode === "live" ? "isthmos stats" : "isthmos stats, and to change results: isthmos init --live";
  return `\nnext: start a new ${title} session, ask it something, then: ${then}\n`;
}

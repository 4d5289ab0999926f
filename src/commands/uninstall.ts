// SPDX-License-Identifier: Apache-2.0
// `isthmos uninstall`: takes the wiring out of the agents' files, and with --purge all that isthmos keeps.
import { realpathSync, rmdirSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import type { Env } from "../env.ts";
import { readFile, remove, removeTree } from "../files.ts";
import type { Program, Scope } from "../hosts/installer.ts";
import { findClient } from "../install/client.ts";
import { diffLines, showLine } from "../install/diff.ts";
import { InstallError } from "../install/install-error.ts";
import { findInstaller, installers } from "../install/installers.ts";
import { findProgram } from "../install/program.ts";
import {
  hashOf,
  type InstallRecord,
  loadRecord,
  placeKey,
  type Wired,
  writeRecord,
} from "../install/record.ts";
import { textOf } from "../install/target.ts";
import { type Removal, uninstall } from "../install/uninstall.ts";
import { type Io, selfCommand } from "../io.ts";
import { JsoncError } from "../jsonc/document.ts";
import { formatBytes } from "../measure/units.ts";
import { cleanName, reportError, reportNotice } from "../report.ts";
import { readSetup } from "../setup.ts";
import { purge } from "../store/purge.ts";
import { StoreError } from "../store/store-error.ts";
import { showPath } from "./doctor/finding.ts";

export interface UninstallArgs {
  /** Only this agent; else all. */
  readonly agent?: string;
  /** Only there; else wherever `init` was run, and what is found here. */
  readonly scope?: Scope;
  readonly dryRun?: boolean;
  readonly purge?: boolean;
}

const PATH_MAX_BYTES = 4096;
const RULES_MAX_BYTES = 16 * 1024 * 1024;

/** Answers what was done, file by file; 0 done or nothing to do, 1 failed. */
export async function run(
  args: UninstallArgs,
  env: Env,
  io: Io,
  self: Program = selfCommand(),
): Promise<number> {
  try {
    await unwire(args, env, io, self);
    return args.purge ? purgeAll(env, io, args.dryRun ?? false) : 0;
  } catch (error) {
    if (error instanceof InstallError) reportError(error.message, error.hint);
    else if (error instanceof JsoncError) reportError(error.message, "correct that file, then try again");
    else throw error;
    return 1;
  }
}

async function unwire(args: UninstallArgs, env: Env, io: Io, self: Program): Promise<void> {
  const { dryRun = false } = args;
  const program = tryProgram(self, env);
  const record = loadRecord(env.stateDir.value);
  const client = await findClient(installers[0].client, env);
  const places = listPlaces(args, record, env.cwd).flatMap((wired) => {
    const installer = findInstaller(wired.agent);
    const folder = wired.folder ?? env.cwd;
    const place = { scope: wired.scope, folder, env, program, client };
    return installer === undefined ? [] : [{ installer, wired, place }];
  });
  const removals = await uninstall({ env, client, dryRun, places });
  const isSetUp = removals.some(({ change }) => change.isChange);
  const told = removals.filter(({ change, backups }) => change.isChange || backups.length > 0);
  if (isSetUp) io.stdout(`${dryRun ? "would remove" : "removed"} isthmos from:\n\n`);
  else io.stdout(`not set up: nothing to remove\n${told.length > 0 ? "\n" : ""}`);
  for (const removal of told) io.stdout(describe(removal, env.home, dryRun));
  if (!isSetUp) return;
  if (!args.purge)
    io.stdout("\nkept: rules, originals and log; isthmos uninstall --purge removes what isthmos stored\n");
}

// What is removed does not depend on where this program lies.
function tryProgram(self: Program, env: Env): Program {
  try {
    return findProgram(self, env.searchPath);
  } catch {
    return self;
  }
}

/** Recorded places, and those where one would look in this folder. */
function listPlaces(
  { agent, scope }: UninstallArgs,
  record: InstallRecord,
  cwd: string | undefined,
): Wired[] {
  const here = installers.flatMap(({ name }): Wired[] => [
    { agent: name, scope: "user" },
    ...(cwd === undefined
      ? []
      : ([
          { agent: name, scope: "project", folder: cwd },
          { agent: name, scope: "local", folder: cwd },
        ] as const)),
  ]);
  const recorded = scope === undefined ? record.wired : [];
  const all = new Map([...here, ...recorded].map((wired) => [placeKey(wired), wired]));
  return [...all.values()].filter(
    (wired) =>
      (agent === undefined || wired.agent === agent) && (scope === undefined || wired.scope === scope),
  );
}

function describe({ change, isExact, byClient, backups }: Removal, home: string, dryRun: boolean): string {
  const { target, after, isChange } = change;
  const show = (path: string) => cleanName(showPath(path, home), PATH_MAX_BYTES);
  const [words, how] = !isChange
    ? ["as it was", "nothing of ours"]
    : after === undefined
      ? ["removed", isExact ? "there was none before init" : "only our entries"]
      : isExact
        ? ["as before", "byte for byte as before init"]
        : ["changed", byClient ? "by the agent's own command" : "only our entries"];
  const lines = [`  ${words}  ${show(target.path)}  (${how})`];
  for (const backup of backups) lines.push(`             a copy from before init stays: ${show(backup)}`);
  if (dryRun && isChange) {
    const text = after === undefined ? "" : new TextDecoder().decode(after);
    lines.push(...diffLines(textOf(target) ?? "", text).map(showLine));
  }
  return `${lines.join("\n")}\n`;
}

function purgeAll(env: Env, io: Io, dryRun: boolean): number {
  const stateDir = env.stateDir.value;
  const record = loadRecord(stateDir);
  const { store } = readSetup(env);
  const options = { stateDir, keyFile: env.keyFile.value, ttlHours: store.ttlHours, dryRun };
  try {
    const { purged, problems, left } = purge({ ...options, what: "everything" });
    io.stdout(`\n${dryRun ? "would purge" : "purged"}:\n\n`);
    for (const { what, files, bytes } of purged) {
      io.stdout(`  ${what.padEnd(10)}  ${files} ${files === 1 ? "file" : "files"}, ${formatBytes(bytes)}\n`);
    }
    if (purged.length === 0) io.stdout("  nothing was stored\n");
    purgeRules(record, env, io, dryRun);
    if (!dryRun) removeRest(record, env);
    // The others in the state folder are the record and what runs.
    const foreign = left.filter((path) => /^(?:store|revealed|seen)(?:\/|$)/.test(path) || isAbsolute(path));
    if (foreign.length > 0) reportNotice(`left, as isthmos did not make it: ${foreign.join(", ")}`);
    for (const problem of problems) reportNotice(`not removed: ${problem}`);
    return problems.length === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    reportError(`cannot purge: ${error.message}`, error.hint);
    return 1;
  }
}

/** The rules file goes only if `init` wrote it and nobody has touched it. */
function purgeRules({ rules }: InstallRecord, { rulesFile, home }: Env, io: Io, dryRun: boolean): void {
  const show = cleanName(showPath(rulesFile.value, home), PATH_MAX_BYTES);
  const bytes = tryRead(rulesFile.value);
  if (bytes === undefined) return;
  if (rules === undefined || hashOf(bytes) !== rules.hash) {
    io.stdout(`  rules       kept, as they are yours: ${show}\n`);
    return;
  }
  io.stdout(`  rules       the starter, unchanged: ${show}, ${formatBytes(bytes.length)}\n`);
  if (dryRun) return;
  remove(rules.path);
  tryRemoveFolder(dirname(rules.path));
}

function removeRest(record: InstallRecord, { stateDir, keyFile }: Env): void {
  const folder = stateDir.value;
  removeTree(join(folder, "servers"));
  // Other places that are still wired keep what gives their files back.
  const { rules: _, ...rest } = record;
  writeRecord(folder, rest);
  for (const empty of [join(folder, "store"), folder, dirname(keyFile.value)]) tryRemoveFolder(empty);
}

function tryRead(path: string): Uint8Array | undefined {
  try {
    return readFile(realpathSync(path), { maxBytes: RULES_MAX_BYTES });
  } catch {
    return undefined;
  }
}

function tryRemoveFolder(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Something else lies there.
  }
}

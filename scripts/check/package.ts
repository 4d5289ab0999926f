// SPDX-License-Identifier: Apache-2.0
// Packs the npm package as a release would and checks that: publint its manifest, attw what TypeScript finds in
// it, and, here, that it brings no dependencies and no files that it does not need.
import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT, runStep } from "../build/project.ts";

const ALLOWED_FILES =
  /^package\/(package\.json|README\.md|LICENSE|NOTICE|CHANGELOG\.md|rules\.[a-z.]+\.?json|dist\/.+)$/;
const DEPENDENCY_FIELDS = ["dependencies", "optionalDependencies", "peerDependencies"];

/** Packs the repository into `folder`; the tarball's path. */
export function packPackage(folder: string): string {
  execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [name, ...others] = globSync("*.tgz", { cwd: folder });
  if (name === undefined || others.length > 0) throw new Error("npm pack made no single tarball");
  return join(folder, name);
}

function checkContent(tarball: string): void {
  const files = execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" }).trim().split("\n");
  const foreign = files.filter((file) => !ALLOWED_FILES.test(file));
  if (foreign.length > 0) throw new Error(`the package contains ${foreign.join(", ")}`);
  const manifest: unknown = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  for (const field of DEPENDENCY_FIELDS) {
    if (typeof manifest === "object" && manifest !== null && field in manifest) {
      throw new Error(`package.json has ${field}: bundled packages belong to devDependencies`);
    }
  }
}

function run(tool: string, ...args: string[]): void {
  try {
    execFileSync(join(ROOT, "node_modules/.bin", tool), args, { stdio: "inherit" });
  } catch {
    throw new Error(`${tool} found problems in the package`);
  }
}

if (import.meta.main) {
  await runStep(() => {
    const folder = mkdtempSync(join(tmpdir(), "isthmos-package-"));
    try {
      const tarball = packPackage(folder);
      checkContent(tarball);
      run("publint", "run", tarball, "--strict");
      run("attw", tarball, "--no-definitely-typed", "--no-emoji");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

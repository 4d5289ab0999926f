// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { runNpm } from "./npm.ts";
import type { BasePackage } from "./targets.ts";

/**
 * Path of a base package's binary, unpacked into `folder`. The tarball is taken from `cache` (absolute), or fetched
 * into it, and must have the pinned checksum. Throws where it cannot be had or is another one.
 */
export function fetchBase(base: BasePackage, cache: string, folder: string): string {
  const tarball = join(cache, `${base.name}-${base.version}.tgz`);
  if (!existsSync(tarball) || integrityOf(tarball) !== base.integrity) fetchTarball(base, cache, tarball);
  mkdirSync(folder, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "-C", folder, "--strip-components=2", base.file]);
  return join(folder, basename(base.file));
}

function fetchTarball(base: BasePackage, cache: string, tarball: string): void {
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, ".fetch-"));
  try {
    console.error(`fetching ${base.name}@${base.version}`);
    const spec = `${base.name}@${base.version}`;
    const fetched = join(work, packTarball(spec, work, tarball));
    const integrity = integrityOf(fetched);
    if (integrity !== base.integrity) {
      throw new Error(`${spec} is not the pinned one: ${integrity}, expected ${base.integrity}`);
    }
    renameSync(fetched, tarball);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

// One retry: without a network npm would otherwise try for minutes.
function packTarball(spec: string, folder: string, tarball: string): string {
  const args = ["pack", spec, "--silent", "--fetch-retries=1", "--pack-destination", folder];
  try {
    return basename(runNpm(args, folder).trim());
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`cannot fetch ${spec}: ${reason}; without a network, put its tarball at ${tarball}`);
  }
}

/** SHA-512 of a file, as npm writes it. */
export function integrityOf(file: string): string {
  return `sha512-${createHash("sha512").update(readFileSync(file)).digest("base64")}`;
}

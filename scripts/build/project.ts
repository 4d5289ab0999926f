// SPDX-License-Identifier: Apache-2.0
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's folder, absolute. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
export const DIST = join(ROOT, "dist");

/** The version, from the one place that states it. */
export function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  if (typeof manifest === "object" && manifest !== null && "version" in manifest) {
    if (typeof manifest.version === "string") return manifest.version;
  }
  throw new Error("package.json has no version");
}

/** The pinned Node.js binary that becomes the executable; an error with the next step where it is not installed. */
export function findBaseNode(): string {
  const { platform, arch } = process;
  const file = join(ROOT, "node_modules", `node-${platform}-${arch}`, "bin", "node");
  if (existsSync(file)) return file;
  const next =
    platform === "linux" && (arch === "x64" || arch === "arm64")
      ? "run npm ci without --omit=optional"
      : "the executable is built for linux on x64 and arm64 only; run npm run bundle and use node dist/cli.cjs";
  throw new Error(`no base Node.js for ${platform}-${arch} (${file}): ${next}`);
}

/** Runs a build step; its error becomes one line on stderr and exit code 1. */
export async function runStep(step: () => Promise<void> | void): Promise<void> {
  try {
    await step();
  } catch (error) {
    console.error(`isthmos: error: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}

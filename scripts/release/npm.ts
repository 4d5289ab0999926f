// SPDX-License-Identifier: Apache-2.0
import { spawnSync } from "node:child_process";
import { delimiter } from "node:path";

/** A minute is long for a listing, short for 50 MB on a slow line. */
const TIMEOUT_MS = 10 * 60_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** What npm prints when it is run in `folder`. Throws, with npm's last line, where it fails. */
export function runNpm(args: readonly string[], folder: string): string {
  const { error, status, stdout, stderr } = spawnSync("npm", [...args, "--loglevel=error"], {
    cwd: folder,
    env: { ...process.env, PATH: outerPath() },
    encoding: "utf8",
    timeout: TIMEOUT_MS,
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  if (error === undefined && status === 0) return stdout;
  const reason = error?.message ?? stderr.trim().split("\n").join(" ");
  throw new Error(`npm ${args[0]} failed: ${reason}`);
}

// npm on the Node.js it came with: ours may not trust the certificates that the system's is set up for.
function outerPath(): string {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.filter((folder) => !folder.endsWith("node_modules/.bin")).join(delimiter);
}

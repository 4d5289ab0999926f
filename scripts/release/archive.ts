// SPDX-License-Identifier: Apache-2.0
// Archives with the same bytes for the same files: sorted, without times, owners and the machine's umask.
import { execFileSync } from "node:child_process";
import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";

/** Zip files cannot say an earlier time. */
const EPOCH_S = Date.UTC(1980, 0, 1, 12) / 1000;

/** Packs the folder `name` in `parent` as FILE.tar.gz or FILE.zip, by the ending of `file` (absolute). */
export function packFolder(parent: string, name: string, file: string): void {
  if (file.endsWith(".zip")) packZip(parent, name, file);
  else packTar(parent, name, file);
}

function packTar(parent: string, name: string, file: string): void {
  const fixed = ["--sort=name", `--mtime=@${EPOCH_S}`, "--owner=0", "--group=0", "--numeric-owner"];
  const mode = "--mode=u+rw,go+r,go-w,a-s";
  execFileSync("tar", [...fixed, mode, "--format=ustar", "-I", "gzip -n", "-cf", file, "-C", parent, name]);
}

function packZip(parent: string, name: string, file: string): void {
  const members = readdirSync(join(parent, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(parent.length + 1))
    .sort();
  for (const member of members) utimesSync(join(parent, member), EPOCH_S, EPOCH_S);
  // The times in a zip file are local ones.
  execFileSync("zip", ["-X", "-q", file, ...members], {
    cwd: parent,
    env: { ...process.env, TZ: "UTC" },
  });
}

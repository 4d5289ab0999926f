// SPDX-License-Identifier: Apache-2.0
// Stand-ins for the keychain tools of the systems, as small shell scripts in a folder for PATH.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Keeps each item as a file `ACCOUNT` in `folder`; `locked` there makes it wait, `broken` makes it fail. */
export function installSecretTool(folder: string): void {
  write(
    folder,
    "secret-tool",
    `items="${folder}/items"; mkdir -p "$items"
[ -e "${folder}/locked" ] && exec sleep 30
[ -e "${folder}/broken" ] && { echo "Cannot reach the secret service" >&2; exit 1; }
echo "$1" >> "${folder}/calls"
for last; do :; done
case "$1" in
  store) cat > "$items/$last" ;;
  lookup) [ -e "$items/$last" ] || exit 1; cat "$items/$last" ;;
  clear) rm -f "$items/$last" ;;
esac`,
  );
}

/** Answers what it is given, the other way round, as DPAPI does with a blob. */
export function installPowershell(folder: string): void {
  write(folder, "powershell.exe", `case "$*" in *Unprotect*) base64 -d ;; *) base64 -w0 ;; esac`);
}

function write(folder: string, name: string, script: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
}

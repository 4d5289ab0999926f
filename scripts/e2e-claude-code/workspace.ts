// SPDX-License-Identifier: Apache-2.0
// The files that the scenarios read and search, the same in every run, times of change included (the client
// sorts file lists by them).
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PIXEL_PNG } from "./payloads.ts";

const EPOCH_S = 1_700_000_000;

/** Writes the files into `folder`, which must not exist. */
export function makeWorkspace(folder: string): void {
  let age = 0;
  for (const [name, content] of files()) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    utimesSync(path, EPOCH_S - age, EPOCH_S - age);
    age += 60;
  }
}

/** `count` lines, each with its end. */
export function lines(count: number, line: (number: number) => string): string {
  return Array.from({ length: count }, (_, index) => `${line(index + 1)}\n`).join("");
}

function files(): Map<string, string | Buffer> {
  return new Map<string, string | Buffer>([
    ["small.txt", "alpha\nbeta\ngamma\n"],
    // 190 lines and more than 4 KiB: below the Read rule's limit, large enough to be remembered.
    ["whole.txt", lines(190, (n) => `line ${n} of a file that no limit touches`)],
    ["long.txt", lines(1500, (n) => (n % 500 === 0 ? `ERROR: step ${n} failed` : `step ${n} was fine`))],
    ["windows.txt", lines(400, (n) => `row ${n}\r`)],
    ["languages.txt", lines(500, (n) => `第${n}行 – naïve ελληνικά 🚀 👩‍👩‍👧 ${"é".repeat(n % 7)}`)],
    [
      "build.log",
      lines(420, (n) => (n === 210 ? "src/fuel.c:88:12: error: expected ';'" : `compiling unit ${n} of 420`)),
    ],
    ["repeats.log", `begin\n${lines(300, () => "waiting for the lock")}end\n`],
    ["change.diff", diff()],
    ["pixel.png", Buffer.from(PIXEL_PNG, "base64")],
    ...Array.from({ length: 5 }, (_, file): [string, string] => [
      `src/part${file}.ts`,
      lines(20, (n) => `export const needle_${file}_${n} = ${n};`),
    ]),
    ...Array.from({ length: 30 }, (_, file): [string, string] => [
      `many/file${file}.md`,
      `haystack ${file}\n`,
    ]),
  ]);
}

/** A patch of one hunk that is longer than the Bash rule's limit. */
function diff(): string {
  const hunk = Array.from({ length: 80 }, (_, n) => `-old line ${n}\n+new line ${n}\n kept line ${n}\n`).join(
    "",
  );
  return `diff --git a/list.txt b/list.txt\nindex 1111111..2222222 100644\n--- a/list.txt\n+++ b/list.txt\n@@ -1,160 +1,160 @@\n${hunk}`;
}

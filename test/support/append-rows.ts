// SPDX-License-Identifier: Apache-2.0
// A process that appends rows as soon as the start file is there: node append-rows.ts FOLDER NAME ROWS
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { appendRow } from "../../src/measure/log.ts";

const [dir = "", name = "", rows = "0"] = process.argv.slice(2);
const stateDir = join(dir, "state");
const sleep = new Int32Array(new SharedArrayBuffer(4));

writeFileSync(join(dir, `ready-${name}`), "");
while (!existsSync(join(dir, "start"))) Atomics.wait(sleep, 0, 0, 5);
for (let i = 0; i < Number(rows); i++) {
  appendRow(stateDir, { kind: "call", ts: Date.now(), tool: name, inBytes: i, outBytes: i });
}

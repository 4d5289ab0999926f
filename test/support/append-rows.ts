// SPDX-License-Identifier: Apache-2.0
// A process that says it is ready, waits for the end of its input, then appends rows: FOLDER NAME ROWS
import { readFileSync, writeSync } from "node:fs";
import { appendRow } from "../../src/measure/log.ts";

const [stateDir = "", name = "", rows = "0"] = process.argv.slice(2);

writeSync(1, "ready\n");
// Blocks; when the parent dies this ends too.
readFileSync(0);
for (let i = 0; i < Number(rows); i++) {
  appendRow(stateDir, { kind: "call", ts: Date.now(), tool: name, inBytes: i, outBytes: i });
}

// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { appendRow, LOG_TOTAL_MAX_BYTES } from "../../src/measure/log.ts";
import { formatRow, type Row } from "../../src/measure/row.ts";
import { openSeen, SEEN_MIN_BYTES } from "../../src/store/seen.ts";
import { openStore, STORE_DEFAULTS } from "../../src/store/vault.ts";
import { SESSION_ID } from "../payloads.ts";

const ENTRIES = 2000;

/** A home with a rules file and nothing else. */
export function makeHome(path: string, rules: object): void {
  mkdirSync(join(path, ".config/isthmos"), { recursive: true });
  writeFileSync(join(path, ".config/isthmos/rules.json"), JSON.stringify(rules));
}

/** Fills the home with what long use leaves: a full log, 2,000 stored originals and 2,000 texts seen in the session. */
export function addHistory(path: string): void {
  const stateDir = join(path, ".local/state/isthmos");
  const keyFile = join(path, ".local/share/isthmos/store.key");
  const row: Row = {
    kind: "call",
    ts: Date.now(),
    tool: "mcp__server__tool".repeat(11),
    inBytes: 9000,
    outBytes: 9000,
  };
  const rows = Math.ceil(LOG_TOTAL_MAX_BYTES / Buffer.byteLength(formatRow(row)));
  for (let index = 0; index < rows; index++) appendRow(stateDir, row);

  const store = openStore({ ...STORE_DEFAULTS, stateDir, keyFile });
  const seen = openSeen(stateDir, keyFile);
  seen.beginGeneration(SESSION_ID, { starts: true });
  for (let index = 0; index < ENTRIES; index++) {
    const bytes = Buffer.from(`text ${index} `.padEnd(SEEN_MIN_BYTES + index, "."));
    store.save(bytes, { tool: "Bash", kind: "text" });
    const text = { session: SESSION_ID, useId: `toolu_${index}`, tool: "Bash", bytes };
    seen.pend(text);
    seen.promote(text);
  }
}

// SPDX-License-Identifier: Apache-2.0
import { dirname } from "node:path";
import { formatBytes, formatCount } from "../../measure/units.ts";
import { findKeyTemps, isLeftover, type KeyTemp } from "../../store/key-temps.ts";
import { storeFolder } from "../../store/layout.ts";
import { explainFolder } from "./access.ts";
import type { Facts } from "./facts.ts";
import { type Finding, formatTime, listSome } from "./finding.ts";

/** So many names are shown. */
const SHOWN = 3;

/** Can originals be sealed, and the stored ones be opened? */
export function checkKey(facts: Facts): Finding[] {
  return [...checkKeyFile(facts), ...checkKeyPlace(facts), ...checkKeyTemps(facts)];
}

/** Do copies of the key lie about? */
function checkKeyTemps({ setup, now, show }: Facts): Finding[] {
  const left = findTemps(setup.store.keyFile).filter((temp) => isLeftover(temp, now));
  if (left.length === 0) return [];
  const names = listSome(
    left.map(({ path }) => show(path)),
    SHOWN,
  );
  const message = `${formatCount(left.length, "copy", "copies")} of a key left by a process that was killed: ${names}`;
  const hint = "run isthmos doctor --fix when they are 10 minutes old, or isthmos store key rotate";
  return [{ check: "key", level: "warning", message, hint }];
}

/** A folder that cannot be listed is said of the key. */
function findTemps(keyFile: string): KeyTemp[] {
  try {
    return findKeyTemps(keyFile);
  } catch {
    return [];
  }
}

/** Is the key where the rules file wants it, and is no rotation broken off? */
function checkKeyPlace({ setup, store }: Facts): Finding[] {
  const check = "key";
  const { kind, isRotating } = store.keyState();
  const wanted = setup.store.keyKind ?? "file";
  const findings: Finding[] = [];
  if (isRotating) {
    const message = "a rotation of the key was broken off; originals open under the key before too";
    findings.push({ check, level: "warning", message, hint: "run isthmos store key rotate" });
  }
  if (kind !== undefined && kind !== wanted) {
    const message = `"store": {"key": "${wanted}"} is set, and the key is kept as ${kind}`;
    findings.push({ check, level: "note", message, hint: `isthmos store key move --to ${wanted}` });
  }
  return findings;
}

function checkKeyFile({ setup, store, show }: Facts): Finding[] {
  const check = "key";
  const { state, reason, hint, kind } = store.keyState();
  const file = show(setup.store.keyFile);
  if (state === "unusable") {
    return [{ check, level: "broken", message: `${reason}: ${file}`, ...(hint !== undefined && { hint }) }];
  }
  if (state === "ok") {
    const place = kind === "keychain" ? " (keychain)" : kind === "passphrase" ? " (passphrase)" : "";
    if (reason === undefined) return [{ check, level: "ok", message: file + place }];
    return [{ check, level: "warning", message: `${reason}: ${file}`, ...(hint !== undefined && { hint }) }];
  }
  const lost = store.unreadable();
  if (lost > 0) {
    const message = `no key file ${file}: ${formatCount(lost, "original")} in the store cannot be opened`;
    return [{ check, level: "broken", message, hint: "restore it from a backup; else a new one is made" }];
  }
  const problem = setup.storeEnabled ? explainFolder(dirname(setup.store.keyFile), show) : undefined;
  if (problem !== undefined) {
    const message = `the key file cannot be made: ${problem}`;
    return [{ check, level: "broken", message, hint: "set ISTHMOS_KEY_FILE to a place that can be written" }];
  }
  return [{ check, level: "ok", message: `none yet: ${file} is made when something is first stored` }];
}

/** Can the store be used, and what is in it? */
export function checkStore({ setup, store, show }: Facts): Finding[] {
  const check = "store";
  const folder = storeFolder(setup.store.stateDir);
  const { entries, bytes, oldest, leftovers, foreign, problem } = store.stats();
  const findings: Finding[] = [];
  const unusable = problem ?? (setup.storeEnabled ? explainFolder(folder, show) : undefined);
  if (unusable !== undefined) {
    const message = `${unusable}: ${show(folder)}`;
    const hint = "no result is cut until it can be used: put it right, or set ISTHMOS_STATE_DIR";
    findings.push({ check, level: "broken", message, hint });
  } else if (!setup.storeEnabled) {
    const message = `off (${show(setup.loaded.path)}): nothing is cut that could not be given back`;
    findings.push({ check, level: "note", message });
  } else {
    const since = oldest === undefined ? "" : `, the oldest of ${formatTime(oldest)}`;
    const message = `${formatCount(entries, "original")}, ${formatBytes(bytes)}${since}, in ${show(folder)}`;
    findings.push({ check, level: "ok", message });
  }
  // Without a usable key none can be opened; that is said of the key.
  const lost = store.keyState().state === "ok" ? store.unreadable() : 0;
  if (lost > 0) {
    const message = `${lost} of ${formatCount(entries, "original")} cannot be opened: damaged, or sealed under another key`;
    const hint = `restore the key file from a backup, or remove ${show(folder)} to begin anew`;
    findings.push({ check, level: "broken", message, hint });
  }
  if (foreign.length > 0) {
    const names = listSome(foreign, SHOWN);
    const message = `${formatCount(foreign.length, "thing")} in ${show(folder)} that isthmos did not make, and leaves alone: ${names}`;
    findings.push({ check, level: "warning", message, hint: "move what is yours elsewhere" });
  }
  if (leftovers.files > 0) {
    const message = `${formatCount(leftovers.files, "file")} of the Go program (${formatBytes(leftovers.bytes)}) in ${show(folder)}: they go when older than ${setup.store.ttlHours} hours`;
    findings.push({ check, level: "note", message });
  }
  return findings;
}

// SPDX-License-Identifier: Apache-2.0
// `isthmos store key rotate` and `key move`: a new key, in the same place or in another; originals stay readable.
import type { KeyKind } from "../../core/rules/settings.ts";
import type { Env } from "../../env.ts";
import type { Io } from "../../io.ts";
import { formatCount } from "../../measure/units.ts";
import { reportError, reportNotice } from "../../report.ts";
import { readSetup } from "../../setup.ts";
import { type Rotated, rotateKey } from "../../store/rotate.ts";
import { StoreError } from "../../store/store-error.ts";
import { openStore } from "../../store/vault.ts";

export interface KeyArgs {
  /** Where the new key goes; as it is, where left out. */
  readonly to?: KeyKind;
  readonly json: boolean;
}

const PLACES = {
  file: "in the key file",
  keychain: "in the keychain",
  passphrase: "sealed under the passphrase",
} as const satisfies Record<KeyKind, string>;

/** Exit code 0, or 1 where the rotation could not be finished; then nothing is lost, and the next one goes on. */
export function run({ to, json }: KeyArgs, env: Env, io: Io): number {
  const { store: options } = readSetup(env);
  const { state } = openStore(options).keyState();
  // Without a key there is nothing to keep as it is: the setting counts.
  const kind = to ?? (state === "missing" ? options.keyKind : undefined);
  let rotated: Rotated;
  try {
    const { stateDir, keyFile } = options;
    rotated = rotateKey({ stateDir, keyFile, ...(kind && { kind }) });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    if (json) io.stdout(`${JSON.stringify({ status: "error", reason: error.message, hint: error.hint })}\n`);
    else reportError(error.message, error.hint);
    return 1;
  }
  if (json) {
    const { outcome, resealed, unreadable, leftBehind } = rotated;
    const answer = {
      status: "ok",
      outcome,
      key: rotated.kind,
      resealed,
      unreadable,
      left_behind: leftBehind,
    };
    io.stdout(`${JSON.stringify(answer)}\n`);
    return 0;
  }
  io.stdout(`${describe(rotated)}\n`);
  if (rotated.unreadable > 0) {
    reportNotice(
      `${formatCount(rotated.unreadable, "original")} opened under neither key, and stayed as before`,
    );
  }
  if (rotated.leftBehind) reportNotice("the keychain still holds the key before: remove it there by hand");
  const wanted = options.keyKind ?? "file";
  if (to !== undefined && wanted !== to) {
    reportNotice(
      `set "store": {"key": "${to}"} in the rules file, so that a lost key is made anew in the same place`,
    );
  }
  return 0;
}

function describe({ outcome, kind, resealed }: Rotated): string {
  if (outcome === "made") return `there was no key: one was made, ${PLACES[kind]}`;
  const what = outcome === "finished" ? "the rotation that was broken off is finished" : "a new key";
  return `${what}, ${PLACES[kind]}; ${formatCount(resealed, "original")} sealed anew, ids as before`;
}

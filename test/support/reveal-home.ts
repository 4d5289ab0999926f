// SPDX-License-Identifier: Apache-2.0
// A home with a store, and what tests of reveal do in it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Env, readEnv } from "../../src/env.ts";
import { type RevealAnswer, type RevealRequest, reveal } from "../../src/reveal.ts";
import { readSetup } from "../../src/setup.ts";
import { openStore, type Store } from "../../src/store/vault.ts";

export interface RevealHome {
  readonly path: string;
  readonly env: Env;
  readonly store: Store;
  /** Stores a text or bytes as a result of Bash; gives the id. */
  save(text: string | Uint8Array): string;
  reveal(id: string, part?: Omit<RevealRequest, "id">): RevealAnswer;
  entryPath(id: string): string;
  remove(): void;
}

export function makeRevealHome(variables: Readonly<Record<string, string>> = {}): RevealHome {
  const path = mkdtempSync(join(tmpdir(), "isthmos-reveal-"));
  const env = readEnv({ HOME: path, ...variables }, () => path);
  const store = openStore(readSetup(env).store);
  return {
    path,
    env,
    store,
    save: (text) =>
      store.save(typeof text === "string" ? new TextEncoder().encode(text) : text, {
        tool: "Bash",
        kind: "text",
      }),
    reveal: (id, part = {}) => reveal({ id, ...part }, env),
    entryPath: (id) => join(env.stateDir.value, "store", `${id}.bin`),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

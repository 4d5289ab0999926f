// SPDX-License-Identifier: Apache-2.0
// Each limit of the store, set in the rules file and by its variable, has its effect.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readEnv } from "../../src/env.ts";
import { readSetup } from "../../src/setup.ts";
import { openStore, type Store } from "../../src/store/vault.ts";
import { age, HOUR_MS, MINUTE_MS, makeTempDir, makeText, removeTempDir } from "../support/temp-store.ts";

const HEAD = { tool: "Bash", kind: "text" };

let home: string;
beforeEach(() => {
  home = makeTempDir();
});
afterEach(() => removeTempDir(home));

/** The store of a home with this setting, in the file or in the environment (which wins over another in the file). */
function open(field: string, value: number, source: "file" | "environment"): Store {
  const rulesFile = join(home, ".config/isthmos/rules.json");
  mkdirSync(dirname(rulesFile), { recursive: true });
  const written = source === "file" ? value : 2 ** 30;
  writeFileSync(rulesFile, JSON.stringify({ rules: [], store: { [field]: written } }));
  const variable = source === "file" ? {} : { [`ISTHMOS_STORE_${field.toUpperCase()}`]: String(value) };
  return openStore(readSetup(readEnv({ HOME: home, ...variable }, () => home)).store);
}

const storeFolder = () => join(home, ".local/state/isthmos/store");
const pathOf = (id: string) => join(storeFolder(), `${id}.bin`);

/** Two saves 20 and 30 minutes ago, then one that sweeps; which of the two are left. */
function sweepTwo(store: Store): boolean[] {
  const ids = [20, 30].map((minutes) => {
    const id = store.save(makeText(`${minutes}`, 6000), HEAD);
    age(pathOf(id), minutes * MINUTE_MS);
    return id;
  });
  age(join(storeFolder(), ".swept"), 2 * HOUR_MS);
  store.save(makeText("new", 6000), HEAD);
  return ids.map((id) => existsSync(pathOf(id)));
}

describe.each(["file", "environment"] as const)("set in the %s", (source) => {
  it("ttl_hours", () => {
    const store = open("ttl_hours", 2, source);
    const id = store.save(makeText("a"), HEAD);
    age(pathOf(id), 2 * HOUR_MS - MINUTE_MS);
    expect(store.load(id).status).toBe("ok");
    age(pathOf(id), 2 * HOUR_MS + MINUTE_MS);
    expect(store.load(id)).toMatchObject({ status: "expired", reason: "older than 2 hours" });
  });

  it.each([
    [3, [true, true]],
    [2, [true, false]],
    [1, [false, false]],
  ])("max_entries %i", (limit, left) => {
    expect(sweepTwo(open("max_entries", limit, source))).toEqual(left);
  });

  it.each([
    [3 * 6200, [true, true]],
    [2 * 6200, [true, false]],
    [6200, [false, false]],
  ])("max_bytes %i", (limit, left) => {
    expect(sweepTwo(open("max_bytes", limit, source))).toEqual(left);
  });

  it.each([
    [5999, false],
    [6000, true],
  ])("max_entry_bytes %i", (limit, fits) => {
    const store = open("max_entry_bytes", limit, source);
    if (fits) expect(store.load(store.save(makeText("a", 6000), HEAD)).status).toBe("ok");
    else expect(() => store.save(makeText("a", 6000), HEAD)).toThrow("larger than 5999 bytes");
  });
});

describe("where a new key is kept", () => {
  const kindOf = (store: object, variables = {}) => {
    const rulesFile = join(home, "rules.json");
    writeFileSync(rulesFile, JSON.stringify({ rules: [], store }));
    const env = readEnv({ HOME: home, ISTHMOS_RULES: rulesFile, ...variables }, () => home);
    const setup = readSetup(env);
    return [setup.storeEnabled, setup.store.keyKind, env.problems.length];
  };

  it.each([
    ["nothing is said", {}, {}, [true, "file", 0]],
    ["the file says it", { key: "keychain" }, {}, [true, "keychain", 0]],
    ["the variable wins", { key: "keychain" }, { ISTHMOS_STORE_KEY: "passphrase" }, [true, "passphrase", 0]],
    ["the file says nonsense: nothing is stored", { key: "keychian" }, {}, [false, "file", 0]],
    ["the variable says nonsense", { key: "keychain" }, { ISTHMOS_STORE_KEY: "x" }, [true, "keychain", 1]],
  ])("%s", (_, store, variables, expected) => expect(kindOf(store, variables)).toEqual(expected));
});

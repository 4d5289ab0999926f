// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { run } from "../../src/commands/config.ts";
import { readEnv } from "../../src/env.ts";
import { captureIo } from "../support/io.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "isthmos-config-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function config(variables: Record<string, string> = {}, rules?: object) {
  if (rules !== undefined) {
    mkdirSync(join(home, ".config/isthmos"), { recursive: true });
    writeFileSync(join(home, ".config/isthmos/rules.json"), JSON.stringify(rules));
  }
  const io = captureIo();
  const code = run(
    { json: true },
    readEnv({ HOME: home, ...variables }, () => home),
    io,
  );
  return { code, ...JSON.parse(io.written()) };
}

describe("config", () => {
  it("shows every setting with its value and source", () => {
    const { code, settings } = config();
    expect(code).toBe(0);
    expect(settings.mode).toEqual({ value: "live", source: "default" });
    expect(settings.rules).toEqual({ value: join(home, ".config/isthmos/rules.json"), source: "default" });
    expect(settings["store.max_entries"]).toEqual({ value: 2000, source: "default" });
  });

  it.each([
    ["the rules file", {}, { mode: "shadow", rules: [] }, "shadow", "rules file"],
    ["ISTHMOS_SHADOW", { ISTHMOS_SHADOW: "1" }, { mode: "live", rules: [] }, "shadow", "ISTHMOS_SHADOW"],
    ["ISTHMOS_SHADOW", { ISTHMOS_SHADOW: "1" }, { mode: "off", rules: [] }, "shadow", "ISTHMOS_SHADOW"],
    [
      "ISTHMOS_DISABLE",
      { ISTHMOS_SHADOW: "1", ISTHMOS_DISABLE: "1" },
      { rules: [] },
      "off",
      "ISTHMOS_DISABLE",
    ],
  ])("takes the mode from %s", (_, variables, rules, value, source) => {
    expect(config(variables, rules).settings.mode).toEqual({ value, source });
  });

  it("takes store limits from the environment before the rules file", () => {
    const rules = { rules: [], store: { max_entries: 5, ttl_hours: 7 } };
    const { settings } = config({ ISTHMOS_STORE_MAX_ENTRIES: "9" }, rules);
    expect(settings["store.max_entries"]).toEqual({ value: 9, source: "ISTHMOS_STORE_MAX_ENTRIES" });
    expect(settings["store.ttl_hours"]).toEqual({ value: 7, source: "rules file" });
  });

  it("answers exit code 1 where a variable has a value that cannot be used", () => {
    const { code, problems } = config({ ISTHMOS_BUDGET_MS: "soon" });
    expect(code).toBe(1);
    expect(problems).toEqual(["ISTHMOS_BUDGET_MS must be a whole number of at least 0"]);
  });
});

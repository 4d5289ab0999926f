// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { readEnv } from "../src/env.ts";

const noHome = (): string => {
  throw new Error("no home");
};

describe("readEnv", () => {
  it("has defaults below the home folder", () => {
    const env = readEnv({ HOME: "/h" }, noHome);
    expect(env.rulesFile).toEqual({ value: "/h/.config/isthmos/rules.json", source: "default" });
    expect(env.stateDir.value).toBe("/h/.local/state/isthmos");
    expect(env.keyFile.value).toBe("/h/.local/share/isthmos/store.key");
    expect(env.claudeDir.value).toBe("/h/.claude");
    expect(env.budgetMs).toEqual({ value: 2000, source: "default" });
    expect(env.problems).toEqual([]);
  });

  it("asks the system where HOME is of no use, and does without where there is none", () => {
    expect(readEnv({}, () => "/sys").home).toBe("/sys");
    expect(readEnv({ HOME: "" }, () => "/sys").home).toBe("/sys");
    expect(readEnv({ HOME: "project" }, () => "/sys").home).toBe("/sys");
    expect(readEnv({}, noHome).home).toBe("/");
  });

  it.each([
    ["ISTHMOS_RULES", { ISTHMOS_RULES: "/r.json", XDG_CONFIG_HOME: "/x" }, "rulesFile", "/r.json"],
    ["XDG_CONFIG_HOME", { XDG_CONFIG_HOME: "/x" }, "rulesFile", "/x/isthmos/rules.json"],
    ["XDG_STATE_HOME", { XDG_STATE_HOME: "/x" }, "stateDir", "/x/isthmos"],
    ["ISTHMOS_STATE_DIR", { ISTHMOS_STATE_DIR: "/s", XDG_STATE_HOME: "/x" }, "stateDir", "/s"],
    ["XDG_DATA_HOME", { XDG_DATA_HOME: "/x" }, "keyFile", "/x/isthmos/store.key"],
    ["ISTHMOS_KEY_FILE", { ISTHMOS_KEY_FILE: "/k" }, "keyFile", "/k"],
    ["CLAUDE_CONFIG_DIR", { CLAUDE_CONFIG_DIR: "/c" }, "claudeDir", "/c"],
    ["default", { XDG_CONFIG_HOME: "relative" }, "rulesFile", "/h/.config/isthmos/rules.json"],
  ] as const)("takes %s", (source, variables, setting, value) => {
    expect(readEnv({ HOME: "/h", ...variables }, noHome)[setting]).toEqual({ value, source });
  });

  it.each([
    ["1", true],
    ["true", true],
    ["0", false],
    ["false", false],
    ["", false],
  ])("reads ISTHMOS_SHADOW=%s", (text, value) => {
    expect(readEnv({ ISTHMOS_SHADOW: text }, noHome).shadow.value).toBe(value);
  });

  it.each(["abc", "-1", "1.5", "1e3", "0x10", "9007199254740993"])(
    "keeps the default and names the problem for ISTHMOS_STORE_MAX_BYTES=%s",
    (text) => {
      const env = readEnv({ ISTHMOS_STORE_MAX_BYTES: text }, noHome);
      expect(env.storeMaxBytes.value).toBeUndefined();
      expect(env.problems).toEqual(["ISTHMOS_STORE_MAX_BYTES must be a whole number of at least 1"]);
    },
  );
});

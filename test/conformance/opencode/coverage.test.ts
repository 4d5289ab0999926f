// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { requirements } from "./requirements.ts";

const SCENARIOS = join(import.meta.dirname, "scenarios");
const sources = readdirSync(SCENARIOS).map((name) => readFileSync(join(SCENARIOS, name), "utf8"));
const cited = new Set(
  sources.flatMap((source) => [...source.matchAll(/verifies\("([^"]+)"\)/g)].map((match) => match[1])),
);

describe("coverage of OpenCode's contract", () => {
  it.each(Object.keys(requirements))("%s is verified by a scenario", (id) => {
    expect(cited).toContain(id);
  });

  it.each(readdirSync(join(import.meta.dirname, "fixtures")))(
    "fixture %s is used and named after the version",
    (name) => {
      const [, plain] = /^(.+)-\d+\.\d+\.\d+\.json$/.exec(name) ?? [];
      expect(sources.some((source) => source.includes(`"${plain}"`))).toBe(true);
    },
  );
});

// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fixtureNames } from "./events.ts";
import { requirements } from "./requirements.ts";

const SCENARIOS = join(import.meta.dirname, "scenarios");
const sources = readdirSync(SCENARIOS).map((name) => readFileSync(join(SCENARIOS, name), "utf8"));
const cited = new Set(
  sources.flatMap((source) => [...source.matchAll(/verifies\("([^"]+)"\)/g)].map((match) => match[1])),
);

describe("coverage of the client's contract", () => {
  it.each(Object.keys(requirements))("%s is verified by a scenario", (id) => {
    expect(cited).toContain(id);
  });

  it.each(fixtureNames())("fixture %s is used and named after the client's version", (name) => {
    expect(name).toMatch(/-\d+\.\d+\.\d+$/);
    const plain = name.replace(/-\d+\.\d+\.\d+$/, "");
    // Sources are a family: session-start-<source>.
    const family = plain.replace(/^session-start-.*/, "session-start-");
    expect(sources.some((source) => source.includes(`"${plain}"`) || source.includes(`\`${family}`))).toBe(
      true,
    );
  });
});

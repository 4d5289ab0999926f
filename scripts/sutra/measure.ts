// SPDX-License-Identifier: Apache-2.0
// One shape through the engine, and the way back to its clue: what is the same in every run on every machine.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { EXAMPLE_ID } from "../../src/core/marker.ts";
import { readEnv } from "../../src/env.ts";
import { compress, loadRules, openStore } from "../../src/index.ts";
import { reveal } from "../../src/reveal.ts";
import { readSetup } from "../../src/setup.ts";
import { deleteByChance, keepEnds } from "./controls.ts";
import type { Shape } from "./shapes.ts";

/** A word of every clue, as a reader would search for it. */
const SEARCH = "CLUE-";
/** Of the deletions by chance, which show the clue in so many of these. */
export const CHANCE_RUNS = 20;

export interface Measured {
  readonly shape: Shape;
  readonly inBytes: number;
  readonly outBytes: number;
  readonly inTokens: number;
  readonly outTokens: number;
  /** The clue stands in what the model gets. */
  readonly visible: boolean;
  /** Bytes of the one reveal that finds it, answer and envelope; 0 where it is visible; undefined: not found. */
  readonly recoveryBytes: number | undefined;
  /** The same size with both ends kept shows the clue. */
  readonly endsShow: boolean;
  /** In how many of CHANCE_RUNS deletions by chance, of the same size, the clue is there. */
  readonly chanceShows: number;
}

/** Every shape under the rules (the text of a rules file), in a home of its own. */
export function measureShapes(shapes: readonly Shape[], rulesText: string): Measured[] {
  const home = mkdtempSync(join(tmpdir(), "isthmos-sutra-"));
  try {
    const rulesFile = join(home, ".config/isthmos/rules.json");
    mkdirSync(join(home, ".config/isthmos"), { recursive: true });
    writeFileSync(rulesFile, rulesText);
    const env = readEnv({ HOME: home }, () => home);
    const store = openStore(readSetup(env).store);
    const { settings } = loadRules(rulesFile);
    return shapes.map((shape): Measured => {
      const { tool, text, clue, field } = shape;
      const { output, outBytes, inBytes, id } = compress(text, { tool, rules: settings, store });
      const shown = new TextDecoder().decode(output);
      const visible = shown.includes(clue);
      const answer = id === undefined ? "" : JSON.stringify(reveal({ id, field, search: SEARCH }, env));
      const found = answer.includes(clue) ? Buffer.byteLength(answer) : undefined;
      const chances = Array.from({ length: CHANCE_RUNS }, (_, seed) => deleteByChance(text, outBytes, seed));
      return {
        shape,
        inBytes,
        outBytes,
        inTokens: countTokens(text),
        // Ids come of a random key, and one has a few tokens more than another.
        outTokens: countTokens(id === undefined ? shown : shown.replaceAll(id, EXAMPLE_ID)),
        visible,
        recoveryBytes: visible ? 0 : found,
        endsShow: keepEnds(text, outBytes).includes(clue),
        chanceShows: chances.filter((chance) => chance.includes(clue)).length,
      };
    });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

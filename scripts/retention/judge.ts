// SPDX-License-Identifier: Apache-2.0
// What becomes of a clue: in view, or given back by one reveal with the numbers of a marker.
import {
  type Compressed,
  compress,
  type LoadedRules,
  parseMarker,
  recoverPart,
  type Store,
} from "../../src/index.ts";
import type { Payload } from "./generate.ts";

export interface Fate {
  readonly fate: "visible" | "revealed" | "lost";
  readonly changed: boolean;
  readonly inBytes: number;
  readonly outBytes: number;
  /** Bytes that the reveal gave back; absent where none was needed. */
  readonly revealBytes?: number;
}

const MARKER = /\[isthmos: [^\]]*\]/g;

/** Compresses the payload as a result of `tool`, and looks for its clue. */
export function judge(
  { text, clue }: Payload,
  tool: string,
  rules: LoadedRules["settings"],
  store: Store,
): Fate {
  const result = compress(text, { tool, rules, store });
  const { changed, inBytes, outBytes } = result;
  const output = new TextDecoder().decode(result.output);
  if (output.includes(clue)) return { fate: "visible", changed, inBytes, outBytes };
  const revealBytes = revealClue(output, result, clue, store);
  if (revealBytes === undefined) return { fate: "lost", changed, inBytes, outBytes };
  return { fate: "revealed", changed, inBytes, outBytes, revealBytes };
}

/** Bytes of the first marker's range that holds the clue, as the store gives it back; undefined if none does. */
function revealClue(output: string, { id }: Compressed, clue: string, store: Store): number | undefined {
  const loaded = id === undefined ? undefined : store.load(id);
  if (loaded?.status !== "ok") return undefined;
  const markers = (output.match(MARKER) ?? []).flatMap((text) => parseMarker(text) ?? []);
  for (const [i, { unit, from, to }] of markers.entries()) {
    if (unit === undefined || from === undefined || to === undefined) continue;
    // An inner hole has its site's field and id in the site's last marker.
    const { field } = markers.slice(i).find((marker) => marker.id !== undefined) ?? {};
    const part = recoverPart(loaded.bytes, { field, [unit]: { from, to } });
    if ("problem" in part) continue;
    if (new TextDecoder().decode(part.bytes).includes(clue)) return part.bytes.length;
  }
  return undefined;
}

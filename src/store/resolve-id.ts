// SPDX-License-Identifier: Apache-2.0
import { EXAMPLE_ID, ID_DIGITS } from "../core/marker.ts";
import { listIds } from "./inspect.ts";
import { checkFolder, isId } from "./layout.ts";
import { readTombstones } from "./tombstones.ts";

/** Fewer digits may mean another original tomorrow. */
const PREFIX_MIN_DIGITS = 8;
/** So many candidates are named. */
const SHOWN = 3;

export type ResolvedId =
  | { readonly id: string }
  | {
      /** `error`: the text stands for several ids; `unavailable`: the store folder may not be used. */
      readonly status: "not_found" | "error" | "unavailable";
      readonly problem: string;
      readonly hint: string;
    };

/**
 * The whole id that `text` begins: 16 digits are answered as they are, stored or not; 8 to 15 must fit one original
 * of the store, or else one that was swept. Throws what the file system says.
 */
export function resolveId(folder: string, text: string): ResolvedId {
  if (isId(text)) return { id: text };
  if (!/^[0-9a-f]{8,15}$/.test(text)) {
    const problem = `an id has ${ID_DIGITS} digits, 0-9 and a-f; at least its first ${PREFIX_MIN_DIGITS} are needed`;
    return { status: "not_found", problem, hint: "copy the id from the marker" };
  }
  if (EXAMPLE_ID.startsWith(text)) return { id: EXAMPLE_ID };
  const checked = checkFolder(folder);
  if (checked.state === "foreign") {
    return { status: "unavailable", problem: checked.reason, hint: "run isthmos doctor" };
  }
  const starts = (id: string) => id.startsWith(text);
  const stored = listIds(folder).filter(starts).sort();
  const found = stored.length > 0 ? stored : readTombstones(folder).filter(starts).sort();
  const [id, second] = found;
  if (id === undefined) {
    const problem = `no original is stored whose id begins with ${text}`;
    return { status: "not_found", problem, hint: "run the tool again" };
  }
  if (second === undefined) return { id };
  const more = found.length > SHOWN ? " …" : "";
  const problem = `${found.length} ids begin with ${text}: ${found.slice(0, SHOWN).join(", ")}${more}`;
  return { status: "error", problem, hint: "give more digits of the id" };
}

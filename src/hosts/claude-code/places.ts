// SPDX-License-Identifier: Apache-2.0
// Where a region stands in the event's bytes, and the way back: edits of a region's text become splices of the
// event. Markers are rendered here, as each region's markers cite its own id.
import { ARRAY, OBJECT, scan } from "../../core/json/scan.ts";
import { formatMarker } from "../../core/marker.ts";
import { applySplices, type Insert, type Splice } from "../../core/splice.ts";
import type { Region, Rewrite } from "../host.ts";

/** Bytes of the event, 0-based, half-open. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A string (quotes included in the span), a JSON value that is itself the text, or an array of names. */
export type Place =
  | (Span & { readonly kind: "string"; toRaw(decoded: number): number })
  | (Span & { readonly kind: "json" })
  | { readonly kind: "names"; readonly names: readonly Span[]; readonly textEnds: readonly number[] };

/** A region, where it stands, and the number in the result that says how many lines or names of it there are. */
export interface Found {
  readonly region: Region;
  readonly place: Place;
  readonly counter?: Span;
}

const NEWLINE = 0x0a;
const OPEN_OBJECT = 0x7b;

/** The splices of the event that make `rewrite` true; throws where the place cannot hold such an edit. */
export function placeEdits(found: Found, rewrite: Rewrite): Splice[] {
  const { place, region, counter } = found;
  if (rewrite.of !== undefined) return [replaceText(place, rewrite.of, rewrite)];
  const edits = editsOf(place, region, rewrite);
  if (counter === undefined) return edits;
  return [...edits, { ...counter, insert: [String(countKept(place, region, rewrite))] }];
}

// A text of its own stands where the region was.
function replaceText(place: Place, of: Uint8Array, { splices, id }: Rewrite): Splice {
  if (place.kind !== "string") throw new Error("another text can only take the place of a string");
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(applySplices(of, splices, id));
  return { start: place.start, end: place.end, insert: [JSON.stringify(text)] };
}

function editsOf(place: Place, region: Region, rewrite: Rewrite): Splice[] {
  if (place.kind === "names") return [editNames(place, region, rewrite)];
  if (place.kind === "json") return editJson(place, region, rewrite);
  return rewrite.splices.map(({ start, end, insert }) => ({
    start: place.toRaw(start),
    end: place.toRaw(end),
    insert: [JSON.stringify(render(insert, rewrite.id)).slice(1, -1)],
  }));
}

function render(insert: readonly Insert[], id: string | undefined): string {
  return insert.map((part) => (typeof part === "string" ? part : formatMarker(part, id))).join("");
}

// A JSON value stays one of its kind: a marker for the whole of it (a reference) is wrapped.
function editJson(place: Span, region: Region, { splices, id }: Rewrite): Splice[] {
  const isObject = region.bytes[0] === OPEN_OBJECT;
  if (scan(applySplices(region.bytes, splices, id))?.kind[0] === (isObject ? OBJECT : ARRAY)) {
    return splices.map(({ start, end, insert }) => ({
      start: place.start + start,
      end: place.start + end,
      insert: [render(insert, id)],
    }));
  }
  const [whole] = splices;
  if (whole === undefined || whole.end - whole.start !== region.bytes.length) {
    throw new Error("an edit of a JSON result left no JSON");
  }
  const text = render(whole.insert, id);
  return [
    { start: place.start, end: place.end, insert: [JSON.stringify(isObject ? { isthmos: text } : [text])] },
  ];
}

// One element takes the place of the names that go; the names that stay keep their spelling.
function editNames(place: Place & { kind: "names" }, region: Region, rewrite: Rewrite): Splice {
  const { names } = place;
  const kept = countKept(place, region, rewrite);
  const insert = rewrite.splices.flatMap((splice) => splice.insert);
  const rest = render(insert, rewrite.id).replace(/^\n|\n$/g, "");
  if (rest.includes("\n")) throw new Error("a list of names takes one line for those that go");
  const element = rest === "" ? "" : JSON.stringify(rest);
  return {
    start: kept === 0 ? names[0]!.start : names[kept - 1]!.end,
    end: names[names.length - 1]!.end,
    insert: [kept > 0 && element !== "" ? `,${element}` : element],
  };
}

/** Lines (or names) of the original that are left, markers not counted. */
export function countKept(place: Place, region: Region, rewrite: Rewrite): number {
  if (place.kind === "names") {
    const [cut, more] = rewrite.splices;
    if (cut === undefined || more !== undefined || cut.end !== region.bytes.length) {
      throw new Error("a list of names loses only its end");
    }
    if (cut.start === 0) return 0;
    // The hole opens before or after the line feed that follows the last name kept.
    const last = place.textEnds.findIndex((end) => end === cut.start || end + 1 === cut.start);
    if (last < 0) throw new Error("a name is kept whole or not at all");
    return last + 1;
  }
  return (
    countLines(applySplices(region.bytes, rewrite.splices, rewrite.id)) - countMarkerLines(region, rewrite)
  );
}

function countLines(text: Uint8Array): number {
  let lines = text.length > 0 && text[text.length - 1] !== NEWLINE ? 1 : 0;
  for (const c of text) if (c === NEWLINE) lines++;
  return lines;
}

// Markers that are a line by themselves; one inside a line (a long line's middle) leaves that line in place.
function countMarkerLines(region: Region, { splices, id }: Rewrite): number {
  let lines = 0;
  for (const { start, end, insert } of splices) {
    const before = start === 0 || region.bytes[start - 1] === NEWLINE ? "\n" : "x";
    const after =
      end === region.bytes.length ? "\n" : String.fromCharCode(...region.bytes.subarray(end, end + 2));
    insert.forEach((part, i) => {
      if (typeof part === "string") return;
      const left = before + render(insert.slice(0, i), id);
      const right = render(insert.slice(i + 1), id) + after;
      if (left.endsWith("\n") && /^\r?\n/.test(right)) lines++;
    });
  }
  return lines;
}

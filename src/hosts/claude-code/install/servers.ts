// SPDX-License-Identifier: Apache-2.0
// The entry of our MCP server in the text of one of the client's files, in and out.
import type { Path } from "../../../core/rules/source.ts";
import { isRecord, nodeAt, parseText, problemAt, toValue } from "../../../jsonc/document.ts";
import { removeAt, setAt, splitMark, withoutMark } from "../../../jsonc/edit.ts";
import { tidyEmptied } from "../../../jsonc/emptied.ts";
import type { Program } from "../../installer.ts";
import { SERVER_NAME } from "./hooks.ts";
import { isOurServer } from "./ours.ts";

/** How the client starts our server. */
export function serverEntry([command, ...args]: Program): Record<string, unknown> {
  return { type: "stdio", command, args: [...args, "mcp"], env: {} };
}

/** True if the entry at `path` is there, right or not. Throws where the name is another program's. */
export function hasServer(text: string | undefined, path: Path, self: Program): boolean {
  return findServer(splitMark(text ?? "").body, path, self) !== undefined;
}

/** The text with the entry at `path`, whose other members (`env`, …) stay; the same text if it is right. */
export function registerServer(text: string | undefined, path: Path, program: Program): string {
  return withoutMark(text ?? "", (given) => {
    const body = parseText(given) === undefined ? "{}\n" : given;
    const present = findServer(body, path, program);
    const wanted = serverEntry(program);
    if (present === undefined) return setAt(body, path, wanted);
    let out = body;
    for (const name of ["command", "args"] as const) {
      if (JSON.stringify(present[name]) === JSON.stringify(wanted[name])) continue;
      out = setAt(out, [...path, name], wanted[name]);
    }
    return out;
  });
}

/** The text without the entry; containers that this leaves empty go too where `before` tells that they were not there. */
export function unregisterServer(
  text: string,
  path: Path,
  before: string | undefined,
  self: Program,
): string {
  return withoutMark(text, (given) => {
    if (!isOurServer(toValue(nodeAt(given, parseText(given), path)), self)) return given;
    const containers = path.slice(1).map((_, depth) => path.slice(0, path.length - 1 - depth));
    return tidyEmptied(removeAt(given, path), containers, before && splitMark(before).body);
  });
}

function findServer(body: string, path: Path, self: Program): Readonly<Record<string, unknown>> | undefined {
  const root = parseText(body);
  if (root !== undefined && root.type !== "object")
    throw problemAt(body, root.offset, "the file must hold an object");
  for (let depth = 1; depth < path.length; depth++) {
    const container = nodeAt(body, root, path.slice(0, depth));
    if (container !== undefined && container.type !== "object") {
      throw problemAt(body, container.offset, `${path.slice(0, depth).join(".")} must be an object`);
    }
  }
  const node = nodeAt(body, root, path);
  if (node === undefined) return undefined;
  const entry = toValue(node);
  if (isRecord(entry) && isOurServer(entry, self)) return entry;
  throw problemAt(body, node.offset, `an MCP server "${SERVER_NAME}" is there that starts another program`);
}

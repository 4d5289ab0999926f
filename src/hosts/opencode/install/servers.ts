// SPDX-License-Identifier: Apache-2.0
// The entry of our MCP server in the text of an OpenCode configuration, in and out. Two dialects: servers directly
// under `mcp`, with `enabled` (version 1), or under `mcp.servers` (version 2).
import { isRecord, nodeAt, parseText, problemAt, toValue } from "../../../jsonc/document.ts";
import { removeAt, setAt, splitMark, withoutMark } from "../../../jsonc/edit.ts";
import { tidyEmptied } from "../../../jsonc/emptied.ts";
import type { FoundClient, Program } from "../../installer.ts";

export const SERVER_NAME = "isthmos";
/** OpenCode writes it into a file that has none. */
const SCHEMA = "https://opencode.ai/config.json";
const PATHS = { 1: ["mcp", SERVER_NAME], 2: ["mcp", "servers", SERVER_NAME] } as const;
const OWN_NAME = /(?:^|[\\/])isthmos(?:[-.][\w.-]*)?$/;
const OWN_PLACE = /[\\/]isthmos[\\/](?:.*[\\/])?(?:cli|bin)\.cjs$/;

/** True if the text has an entry of ours, right or not. */
export function hasServer(text: string | undefined, self: Program): boolean {
  const { body } = splitMark(text ?? "");
  const root = parseText(body);
  return ([1, 2] as const).some((dialect) => isOurs(toValue(nodeAt(body, root, PATHS[dialect])), self));
}

/** The text with the entry, whose other members stay; the same text if it is right. */
export function registerServer(text: string | undefined, program: Program, client?: FoundClient): string {
  return withoutMark(text ?? "", (given) => {
    const isNew = parseText(given) === undefined;
    const body = isNew ? setAt("{}\n", ["$schema"], SCHEMA) : given;
    const root = parseText(body);
    if (root?.type !== "object") throw problemAt(body, root?.offset ?? 0, "the file must hold an object");
    const dialect = dialectOf(body, client);
    const path = PATHS[dialect];
    for (const container of [path.slice(0, 1), path.slice(0, -1)]) {
      const node = nodeAt(body, root, container);
      if (node !== undefined && node.type !== "object")
        throw problemAt(body, node.offset, `${container.join(".")} must be an object`);
    }
    const command = [...program, "mcp"];
    const node = nodeAt(body, root, path);
    if (node === undefined) {
      return setAt(body, path, { type: "local", command, ...(dialect === 1 && { enabled: true }) });
    }
    const entry = toValue(node);
    if (!isOurs(entry, program)) {
      throw problemAt(
        body,
        node.offset,
        `an MCP server "${SERVER_NAME}" is there that starts another program`,
      );
    }
    const isRight = isRecord(entry) && JSON.stringify(entry.command) === JSON.stringify(command);
    return isRight ? body : setAt(body, [...path, "command"], command);
  });
}

/** The text without the entry; containers that this leaves empty go too where `before` tells that they were not there. */
export function unregisterServer(text: string, before: string | undefined, self: Program): string {
  // A file that does not name us is not ours to judge, though it may be broken.
  if (!text.includes(SERVER_NAME)) return text;
  return withoutMark(text, (given) => {
    const was = before === undefined ? undefined : splitMark(before).body;
    let body = given;
    for (const path of Object.values(PATHS)) {
      if (!isOurs(toValue(nodeAt(body, parseText(body), path)), self)) continue;
      const containers = path.slice(1).map((_, depth) => path.slice(0, path.length - 1 - depth));
      body = tidyEmptied(removeAt(body, path), containers, was);
    }
    return body;
  });
}

/** As the file's servers are written; without any as the client's version has it, the first where that is unknown. */
function dialectOf(body: string, client: FoundClient | undefined): 1 | 2 {
  const mcp = toValue(nodeAt(body, parseText(body), ["mcp"]));
  if (isRecord(mcp)) {
    if (isRecord(mcp.servers) && !isServer(mcp.servers)) return 2;
    if (Object.values(mcp).some(isServer)) return 1;
  }
  return Number(client?.version?.split(".")[0] ?? 1) >= 2 ? 2 : 1;
}

/** A server may itself be called "servers". */
function isServer(value: unknown): boolean {
  return isRecord(value) && (typeof value.type === "string" || typeof value.enabled === "boolean");
}

/** True if an entry starts isthmos, wherever it lies. */
function isOurs(entry: unknown, self: Program): boolean {
  if (!isRecord(entry) || !Array.isArray(entry.command)) return false;
  const words = entry.command.map(String);
  if (words.at(-1) !== "mcp") return false;
  const program = words.slice(0, -1);
  if (program.length === self.length && program.every((word, at) => word === self[at])) return true;
  const last = program.at(-1) ?? "";
  return OWN_NAME.test(last) || OWN_PLACE.test(last);
}

// SPDX-License-Identifier: Apache-2.0
// Calls of `compress`, taken from the stream before the SDK sees them: small ones are answered at once; large ones go
// on to a process of their own, where they can while they still come.
import { ErrorCode } from "@modelcontextprotocol/sdk/types.js";
import { type JsonIndex, OBJECT } from "../core/json/scan.ts";
import { findMember, readText } from "../hosts/members.ts";
import type { Compress } from "./compress.ts";
import { readFields } from "./event.ts";
import { LARGE_MIN_BYTES, type Sink } from "./lines.ts";
import { COMPRESS } from "./tools.ts";
import { idOf, type StdioTransport } from "./transport.ts";

/**
 * True if the message, a tool call, is none that the SDK should see: a call of `compress`, which is then answered, now
 * or when its process is done, or one that names no tool or has no object of arguments.
 */
export function answerCompress(message: JsonIndex, compress: Compress, transport: StdioTransport): boolean {
  const params = findMember(message, 0, "params");
  const name = readText(message, findMember(message, params, "name"));
  const id = idOf(message);
  if (name !== undefined && name !== COMPRESS) {
    const args = findMember(message, params, "arguments");
    if (args < 0 || message.kind[args] === OBJECT || id === null) return false;
    // The SDK would answer with a listing of its schema.
    transport.sendError(id, ErrorCode.InvalidParams, "arguments must be an object");
    return true;
  }
  // A notification: nobody waits for an answer.
  if (id === null) return true;
  const fields =
    name === undefined
      ? "the name of a tool is missing"
      : readFields(message, findMember(message, params, "arguments"));
  if (typeof fields === "string") transport.sendError(id, ErrorCode.InvalidParams, fields);
  else if (message.bytes.length <= LARGE_MIN_BYTES) sendText(id, compress.answer(fields), transport);
  else void compress.answerLarge(message.bytes).then((text) => sendText(id, text, transport));
  return true;
}

// As clients write it: what comes before the arguments is short and has no braces of its own.
const CALL_START =
  /^\s*\{(?:"jsonrpc":\s?"2\.0",\s?)?(?:"id":\s?(?:-?\d{1,15}|"[\w.:-]{1,100}"),\s?)?"method":\s?"tools\/call",\s?(?:"jsonrpc":\s?"2\.0",\s?)?"params":\s?\{\s?(?:"_meta":\s?\{[^{}]{0,200}\},\s?)?"name":\s?"compress"/;

/** Takes a large call over while it comes, if it is one of `compress` and a process may start. */
export function openLargeCall(head: string, compress: Compress, transport: StdioTransport): Sink | undefined {
  if (!CALL_START.test(head)) return undefined;
  const child = compress.open();
  if (child === undefined) return undefined;
  return {
    write: child.write,
    end: (id) => {
      if (id !== null) {
        void compress.answerOpened(child).then((text) => sendText(id, text, transport));
        return;
      }
      child.kill();
      transport.sendError(null, ErrorCode.InvalidRequest, "the message has no id, or not first or last");
    },
    abort: child.kill,
  };
}

function sendText(id: string | number, text: string, transport: StdioTransport): void {
  void transport.send({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text }] } });
}

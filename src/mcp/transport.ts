// SPDX-License-Identifier: Apache-2.0
// MCP on stdin and stdout, one JSON message a line. The SDK's own transport ends the server above 10 MiB and is
// quadratic in a message's size. Here a message that cannot be read is answered with an error, and the stream stays
// open; only its end, or a reader that is gone, ends the server.
import type { Readable, Writable } from "node:stream";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  ErrorCode,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type RequestId,
} from "@modelcontextprotocol/sdk/types.js";
import { type JsonIndex, OBJECT, scan } from "../core/json/scan.ts";
import { findMember } from "../hosts/members.ts";
import { type Ends, endsOf, type Line, LineReader, MESSAGE_MAX_BYTES, type Sink } from "./lines.ts";

/** More than this unread by the client, and no more of its messages are read. */
const UNREAD_MAX_BYTES = 64 * 1024 * 1024;
/** Longer ids come from no client. */
const ID_MAX_BYTES = 4096;
const RETURN = 0x0d;
/** A client that is gone may never read what is left. */
const FLUSH_MS = 500;

/** Takes messages before the SDK does. */
export interface Interceptor {
  /** Looks at a message, scanned; true: it has taken it. */
  take(message: JsonIndex): boolean;
  /** Looks at the head of a large message that still comes; undefined: it is read like any other. */
  open(head: string): Sink | undefined;
}

/** What an answer may be: the SDK's messages, and an error whose request is not known. */
type Outgoing = JSONRPCMessage | { readonly jsonrpc: "2.0"; readonly id: null; readonly error: object };

export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #stdin: Readable;
  readonly #stdout: Writable;
  readonly #interceptor: Interceptor;
  readonly #lines: LineReader;
  #closed = false;

  constructor(
    { stdin, stdout }: { readonly stdin: Readable; readonly stdout: Writable },
    interceptor: Interceptor,
    maxBytes = MESSAGE_MAX_BYTES,
  ) {
    this.#stdin = stdin;
    this.#stdout = stdout;
    this.#interceptor = interceptor;
    this.#lines = new LineReader({ maxBytes, openSink: (head) => interceptor.open(head) });
  }

  async start(): Promise<void> {
    const close = () => void this.close();
    this.#stdout.on("error", close);
    this.#stdout.on("drain", () => this.#stdin.resume());
    this.#stdin.on("data", (chunk: Uint8Array) => {
      for (const line of this.#lines.push(chunk)) this.#receive(line);
      if (this.#stdout.writableLength > UNREAD_MAX_BYTES) this.#stdin.pause();
    });
    // What was asked before the end may still be answered: its answer is a promise away.
    this.#stdin.on("end", () => setImmediate(close));
    this.#stdin.on("error", close);
    this.#stdin.on("close", () => setImmediate(close));
  }

  /** Resolves when the message is handed on, whole; what follows waits behind it. */
  async send(message: Outgoing): Promise<void> {
    if (this.#closed) return;
    const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
    await new Promise<void>((resolve) => this.#stdout.write(bytes, () => resolve()));
  }

  /** Answers the request of this id with an error; null where the id is not known. */
  sendError(id: RequestId | null, code: number, message: string): void {
    const error = { code, message };
    void this.send(id === null ? { jsonrpc: "2.0", id, error } : { jsonrpc: "2.0", id, error });
  }

  /** Stops reading, and waits a short time for what is still to be written. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#stdin.pause();
    await this.#flush();
    this.onclose?.();
  }

  #flush(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#stdout.writableLength === 0 || this.#stdout.destroyed) return resolve();
      const timer = setTimeout(resolve, FLUSH_MS);
      this.#stdout.write("", () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #receive(line: Line): void {
    if (this.#closed || (line.kind === "line" && isBlank(line.bytes))) return;
    if (line.kind === "handed_on") {
      line.sink.end(findId(line));
      return;
    }
    if (line.kind === "too_long") {
      const reason = `the message is larger than ${MESSAGE_MAX_BYTES} bytes`;
      this.sendError(findId(line), ErrorCode.InvalidRequest, reason);
      return;
    }
    // A message may be large, and most of it is not ours to parse.
    const index = scan(line.bytes);
    if (index !== undefined) this.#deliver(index);
    // No JSON, or too deep to be scanned: whoever waits for this id should hear of it.
    else
      this.sendError(
        findId(endsOf(line.bytes)),
        ErrorCode.ParseError,
        "the message is no JSON that can be read",
      );
  }

  #deliver(index: JsonIndex): void {
    try {
      if (index.kind[0] === OBJECT && this.#interceptor.take(index)) return;
      const message = JSONRPCMessageSchema.safeParse(parseNode(index, 0));
      if (message.success) this.onmessage?.(message.data);
      else this.sendError(idOf(index), ErrorCode.InvalidRequest, "the message is no JSON-RPC 2.0 message");
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      this.sendError(idOf(index), ErrorCode.InternalError, "an unexpected error; run isthmos doctor");
    }
  }
}

/** The id that a message has, if it can be one. */
export function idOf(message: JsonIndex): RequestId | null {
  const node = findMember(message, 0, "id");
  const id =
    node < 0 || message.end[node]! - message.start[node]! > ID_MAX_BYTES ? null : parseNode(message, node);
  return typeof id === "string" || typeof id === "number" ? id : null;
}

function parseNode({ bytes, start, end }: JsonIndex, node: number): unknown {
  const part = bytes.subarray(start[node], end[node]);
  return JSON.parse(Buffer.from(part.buffer, part.byteOffset, part.length).toString());
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.length <= 1 && (bytes[0] === undefined || bytes[0] === RETURN);
}

// Clients write the id first or last, and plain; inside a string its quotes would be escaped.
const ID_FIRST = /^\s*\{(?:"jsonrpc":\s?"2\.0",\s?)?"id":\s?(-?\d{1,15}|"[\w.:-]{1,100}")\s*,/;
const ID_LAST = /[^\\],\s?"id":\s?(-?\d{1,15}|"[\w.:-]{1,100}")\s*(?:,\s?"jsonrpc":\s?"2\.0"\s*)?\}\s*$/;

function findId({ head, tail }: Ends): RequestId | null {
  const [, id] = ID_FIRST.exec(head) ?? ID_LAST.exec(tail) ?? [];
  if (id === undefined) return null;
  return id.startsWith('"') ? id.slice(1, -1) : Number(id);
}

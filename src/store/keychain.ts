// SPDX-License-Identifier: Apache-2.0
// A key in the keychain of the system, by the tool that the system has for it: secret-tool (Linux), security (macOS),
// PowerShell's DPAPI (Windows, where the blob itself lies in the key file). Secrets go through pipes, never through
// arguments, which other users can see.
import { hostPlatform } from "../env.ts";
import { errorCode } from "../files.ts";
import type { Master } from "./key-source.ts";
import { StoreError } from "./store-error.ts";

/** What the key file says of a key that is elsewhere. */
export interface Entrusted {
  readonly kind: "keychain";
  readonly tool: ToolName;
  /** Names the item; of DPAPI the blob, as base64. */
  readonly item: string;
}

type ToolName = keyof typeof TOOLS;

interface Call {
  readonly words: readonly [string, ...string[]];
  readonly input?: string;
}

interface Tool {
  /** The program, in words for the user. */
  readonly name: string;
  readonly put: (item: string, secret: string) => Call;
  readonly get: (item: string) => Call;
  /** Undefined where nothing lies in a keychain. */
  readonly forget?: (item: string) => Call;
  /** What `put` prints is the item, instead of a name that was chosen. */
  readonly putPrints?: boolean;
}

const KEY_BYTES = 32;
/** A hook has 2 s for everything; a keychain that is locked waits for a person. */
const HOOK_WAIT_MS = 1500;
const OUTPUT_MAX_BYTES = 64 * 1024;
const REASON_MAX_UNITS = 200;
const SERVICE = "isthmos";
const LABEL = "isthmos store key";
const LOCKED_HINT = 'unlock the keychain, or use another key: "store": {"key": "file"}';

const TOOLS = {
  "secret-tool": {
    name: "secret-tool",
    put: (item, secret) => ({
      words: ["secret-tool", "store", `--label=${LABEL}`, "service", SERVICE, "account", item],
      input: secret,
    }),
    get: (item) => ({ words: ["secret-tool", "lookup", "service", SERVICE, "account", item] }),
    forget: (item) => ({ words: ["secret-tool", "clear", "service", SERVICE, "account", item] }),
  },
  security: {
    name: "security",
    // The interactive mode reads the command from a pipe.
    put: (item, secret) => ({
      words: ["/usr/bin/security", "-i"],
      input: `add-generic-password -U -s ${SERVICE} -a ${item} -l "${LABEL}" -w ${secret}\n`,
    }),
    get: (item) => ({
      words: ["/usr/bin/security", "find-generic-password", "-s", SERVICE, "-a", item, "-w"],
    }),
    forget: (item) => ({
      words: ["/usr/bin/security", "delete-generic-password", "-s", SERVICE, "-a", item],
    }),
  },
  dpapi: {
    name: "PowerShell",
    put: (_, secret) => ({ words: powershell("Protect"), input: secret }),
    get: (item) => ({ words: powershell("Unprotect"), input: item }),
    putPrints: true,
  },
} as const satisfies Record<string, Tool>;

function powershell(operation: "Protect" | "Unprotect"): [string, ...string[]] {
  const script = [
    "$ErrorActionPreference = 'Stop'",
    "Add-Type -AssemblyName System.Security",
    "$bytes = [Convert]::FromBase64String([Console]::In.ReadToEnd().Trim())",
    `$done = [Security.Cryptography.ProtectedData]::${operation}($bytes, $null, 'CurrentUser')`,
    "[Console]::Out.Write([Convert]::ToBase64String($done))",
  ].join("; ");
  return ["powershell.exe", "-NoProfile", "-NonInteractive", "-Command", script];
}

/** The tool of a platform; systems that are none of these have the one of freedesktop.org, if any. */
export function chooseTool(platform: string): ToolName {
  if (platform === "darwin") return "security";
  return platform === "win32" ? "dpapi" : "secret-tool";
}

/** Hands a key over and reads it back. Throws StoreError `key_unusable`. */
export function entrustKey(
  master: Uint8Array,
  waitMs = HOOK_WAIT_MS,
  tool: ToolName = chooseTool(hostPlatform()),
): Entrusted {
  const known: Tool = TOOLS[tool];
  const name = process.getBuiltinModule("node:crypto").randomBytes(8).toString("hex");
  const put = runTool(known, known.put(name, toText(master)), waitMs, "did not take the key");
  if (put.problem !== undefined) throw new StoreError("key_unusable", put.problem, LOCKED_HINT);
  const entrusted: Entrusted = { kind: "keychain", tool, item: known.putPrints ? put.output : name };
  const back = fetchKey(entrusted, waitMs);
  if (back.state !== "ok") throw new StoreError("key_unusable", back.reason, back.hint);
  if (toText(back.master) === toText(master)) return entrusted;
  throw new StoreError("key_unusable", `${known.name} gave another key back than it was given`, LOCKED_HINT);
}

/** The key that the keychain holds. Never throws. */
export function fetchKey({ tool, item }: Entrusted, waitMs = HOOK_WAIT_MS): Master {
  const known: Tool = TOOLS[tool];
  const { output, problem } = runTool(known, known.get(item), waitMs, "gave no key");
  if (problem !== undefined) return { state: "unusable", reason: problem, hint: LOCKED_HINT };
  const master = new Uint8Array(Buffer.from(output, "base64"));
  if (master.length === KEY_BYTES) return { state: "ok", master };
  return { state: "unusable", reason: `what ${known.name} holds is no key of isthmos`, hint: LOCKED_HINT };
}

/** Takes a key out of the keychain; true if it is no longer there. Never throws. */
export function forgetKey({ tool, item }: Entrusted): boolean {
  const known: Tool = TOOLS[tool];
  if (known.forget === undefined) return true;
  return runTool(known, known.forget(item), HOOK_WAIT_MS, "removed no key").problem === undefined;
}

export function parseEntrusted(fields: ReadonlyMap<string, unknown>): Entrusted | undefined {
  const [tool, item] = [fields.get("tool"), fields.get("item")];
  if (typeof tool !== "string" || !isToolName(tool) || typeof item !== "string") return undefined;
  // It becomes an argument, or a word of a command line.
  return /^[A-Za-z0-9+/=]+$/.test(item) ? { kind: "keychain", tool, item } : undefined;
}

function isToolName(name: string): name is ToolName {
  return Object.hasOwn(TOOLS, name);
}

function toText(master: Uint8Array): string {
  return Buffer.from(master).toString("base64");
}

/** `refusal` says what the tool did not do, where it ends with a failure. */
function runTool({ name }: Tool, { words, input = "" }: Call, waitMs: number, refusal: string) {
  const [file, ...args] = words;
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { stdout, stderr, status, error } = spawnSync(file, args, {
    input,
    timeout: waitMs,
    killSignal: "SIGKILL",
    maxBuffer: OUTPUT_MAX_BYTES,
    encoding: "utf8",
    windowsHide: true,
  });
  const output = (stdout ?? "").trim();
  const code = errorCode(error);
  // A tool that does not read its input and does its work is fine.
  if (status === 0 && (code === undefined || code === "EPIPE")) return { output, problem: undefined };
  if (code === "ENOENT") return { output, problem: `the keychain needs ${name}, which is not installed` };
  if (code === "ETIMEDOUT") {
    return { output, problem: `${name} did not answer within ${waitMs} ms: the keychain may be locked` };
  }
  const said = code ?? (stderr ?? "").trim().split("\n", 1)[0]?.slice(0, REASON_MAX_UNITS);
  return { output, problem: `${name} ${refusal}${said ? ` (${said})` : ""}` };
}

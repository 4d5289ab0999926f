// SPDX-License-Identifier: Apache-2.0
import { type ParsedRules, parseRules, RULES_MAX_BYTES, refuse } from "./core/rules/parse.ts";
import type { Problem, Settings } from "./core/rules/settings.ts";
import { decodeUtf8 } from "./core/utf8.ts";
import { errorCode, readFile } from "./files.ts";

/** A rules file as found on the disk. Without `"ok"` there are no rules, and nothing is changed. */
export interface LoadedRules {
  readonly path: string;
  /** unreadable: the file's bytes cannot be had; invalid: they are no rules file. Missing is no error. */
  readonly status: "ok" | "missing" | "unreadable" | "invalid";
  /** Why the file gives no rules, in words that follow its path; undefined if it does or is missing. */
  readonly reason: string | undefined;
  readonly settings: Settings;
  /** In the order of their places. Worked out when first asked for: the hook never asks. */
  readonly problems: readonly Problem[];
}

/** A resident process reads the same file at every call; parsing it is the longest part. */
let last: { readonly path: string; readonly bytes: Uint8Array; readonly loaded: LoadedRules } | undefined;

/** The file, which may be a link, read and parsed; parsed again only if it has changed. Never throws. */
export function loadRulesFile(path: string): LoadedRules {
  let bytes: Uint8Array | undefined;
  try {
    bytes = readFile(path, { maxBytes: RULES_MAX_BYTES, follow: true });
  } catch (error) {
    return toLoaded(path, "unreadable", refuse(describeFailure(error)));
  }
  if (bytes === undefined) return toLoaded(path, "missing", parseRules("[]"));
  if (last?.path === path && isSame(last.bytes, bytes)) return last.loaded;
  const text = decodeUtf8(bytes);
  const parsed = text === undefined ? refuse("the file is not UTF-8") : parseRules(text);
  const loaded = toLoaded(path, parsed.usable ? "ok" : "invalid", parsed);
  last = { path, bytes, loaded };
  return loaded;
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

function toLoaded(path: string, status: LoadedRules["status"], parsed: ParsedRules): LoadedRules {
  return {
    path,
    status,
    get reason() {
      return parsed.usable
        ? undefined
        : parsed.problems.find(({ severity }) => severity === "error")?.message;
    },
    settings: parsed.settings,
    get problems() {
      return parsed.problems;
    },
  };
}

function describeFailure(error: unknown): string {
  const code = errorCode(error);
  switch (code) {
    case "EISDIR":
    case "EINVAL":
      return "it is not a regular file";
    case "EACCES":
    case "EPERM":
      return "permission denied";
    case "EFBIG":
      return `the file is larger than ${RULES_MAX_BYTES} bytes`;
    case "ELOOP":
      return "its links lead in a circle";
    default:
      return `cannot be read (${code ?? "unknown error"})`;
  }
}

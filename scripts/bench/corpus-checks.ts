// SPDX-License-Identifier: Apache-2.0
// What must hold for each file of a corpus, judged without the product's own recognisers.

/** The words of a failing line that every reader would call one; a check of its own, narrower than the product. */
const FAILING = /(?:^|[\s[(:])(?:error|fatal|panic|FAILED|FAIL|failure|exception|Traceback)(?::| |\]|$)/i;
const NEGATED =
  /\b(?:no|0|without|zero) (?:error|failure|fatal|exception)|(?:errors?|failures?|failed)["']?\s*[:=]\s*["']?(?:0|null|none|false|""|\[\])/i;

/** Distinct kinds of failing lines (digits and hex folded), each with the line numbers where it stands. */
export function findFailingKinds(text: string): Map<string, string[]> {
  const kinds = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    if (!FAILING.test(line.slice(0, 2000)) || NEGATED.test(line.slice(0, 2000))) continue;
    const kind = line.replace(/0x[0-9a-f]+|[0-9a-f]{8,}|\d+/gi, "#").trim();
    const lines = kinds.get(kind);
    if (lines === undefined) kinds.set(kind, [line.trim()]);
    else lines.push(line.trim());
  }
  return kinds;
}

/** True if the text as a whole is a unified diff or a patch mail. */
export function isPatch(text: string): boolean {
  return /^(diff --git |--- \S|From [0-9a-f]{40} |Index: )/.test(text) && /^@@ -\d/m.test(text);
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

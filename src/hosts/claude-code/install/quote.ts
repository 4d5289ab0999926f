// SPDX-License-Identifier: Apache-2.0

/** Characters that mean nothing to a shell. */
const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** Words as one command line for the shell in which the client runs hooks: sh, on Windows Git's bash. */
export function quoteCommand(words: readonly string[]): string {
  return words.map(quoteWord).join(" ");
}

function quoteWord(word: string): string {
  // A Windows path: slashes do as well there, and a backslash is an escape to the shell.
  const text = /^[A-Za-z]:\\|^\\\\/.test(word) ? word.replaceAll("\\", "/") : word;
  if (PLAIN.test(text)) return text;
  if (!text.includes("'") && text === word) return `'${text}'`;
  return `"${text.replace(/["$`\\]/g, "\\$&")}"`;
}

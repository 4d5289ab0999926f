// SPDX-License-Identifier: Apache-2.0
// Calls of isthmos itself (C10), whatever agent makes them: by the tool's name as rules know it, and by a shell
// command's words. When in doubt it is one: what is taken for our own passes unchanged. Each check is one pass.

const MCP_TOOL = "mcp__isthmos__";
const PLUGIN_TOOL = "mcp__plugin_";
const NAME = "isthmos";

/** True for tools of our MCP server, also where a plugin brings it: mcp__isthmos__*, mcp__plugin_*isthmos*__*. */
export function isOwnTool(tool: string): boolean {
  if (tool.startsWith(MCP_TOOL)) return true;
  if (!tool.startsWith(PLUGIN_TOOL)) return false;
  const at = tool.indexOf(NAME, PLUGIN_TOOL.length);
  return at >= 0 && tool.indexOf("__", at + NAME.length) >= 0;
}

/** True if a shell command holds `isthmos reveal` as words, whatever path, quotes or suffix the program has. */
export function callsReveal(command: string): boolean {
  for (let at = command.indexOf(NAME); at >= 0; at = command.indexOf(NAME, at + 1)) {
    if (at > 0 && isWord(command.charCodeAt(at - 1))) continue;
    let i = at + NAME.length;
    // A release's file may be called isthmos-linux-x64.
    while (i < command.length && isWord(command.charCodeAt(i))) i++;
    const gap = i;
    while (i < command.length && isGap(command.charCodeAt(i))) i++;
    if (i > gap && command.startsWith("reveal", i) && !isWord(command.charCodeAt(i + 6))) return true;
  }
  return false;
}

// Letters, digits, and what joins them in a file's name.
function isWord(c: number): boolean {
  const isLetter = (c | 0x20) >= 0x61 && (c | 0x20) <= 0x7a;
  return isLetter || (c >= 0x30 && c <= 0x39) || c === 0x5f || c === 0x2d || c === 0x2e || c >= 0x80;
}

// Blanks, line ends, quotes, and the backslash of a continued line.
function isGap(c: number): boolean {
  return c === 0x20 || (c >= 0x09 && c <= 0x0d) || c === 0x22 || c === 0x27 || c === 0x5c;
}

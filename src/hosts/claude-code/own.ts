// SPDX-License-Identifier: Apache-2.0
// Is this result something isthmos gave back (C10)? Judged by tool and arguments, before any rule. When in
// doubt it is: what is taken for our own passes unchanged. Each check is one pass over the argument.

const MCP_TOOL = "mcp__isthmos__";
const PLUGIN_TOOL = "mcp__plugin_";
const NAME = "isthmos";

/** The arguments that tell, as the event has them. */
export interface ToolInput {
  /** Shell command of a Bash call. */
  readonly command?: string | undefined;
  /** File or folder that the call reads. */
  readonly path?: string | undefined;
}

/** True if the call's result comes from isthmos: our MCP server, `isthmos reveal`, or a spilled result's file. */
export function isOwn(tool: string, input: ToolInput): boolean {
  if (isOwnTool(tool)) return true;
  const { command = "", path = "" } = input;
  if (tool === "Bash" && callsReveal(command)) return true;
  // A reveal that the client spilled is read back from there, often in parts, and a part cannot be told by its
  // content from any other file; so whatever lies in such a folder passes.
  return (tool === "Bash" && namesSpillFolder(command)) || namesSpillFolder(path);
}

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

function namesSpillFolder(text: string): boolean {
  return text.includes("/tool-results/") || text.includes("\\tool-results\\");
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

// SPDX-License-Identifier: Apache-2.0
// Is this result something isthmos gave back (C10)? Judged by tool and arguments, before any rule. When in
// doubt it is: what is taken for our own passes unchanged. Each check is one pass over the argument.
import { callsReveal, isOwnTool } from "../own-call.ts";

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

function namesSpillFolder(text: string): boolean {
  return text.includes("/tool-results/") || text.includes("\\tool-results\\");
}

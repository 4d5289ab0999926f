// SPDX-License-Identifier: Apache-2.0
// Names that a rule's tool pattern may stand for: tried where no list of all tools can be had.
import { compileGlob } from "../../core/rules/glob.ts";
import { parseGlob, STAR, type Token } from "../../core/rules/glob-parse.ts";

/** The client's own tools. */
export const BUILT_IN_TOOLS: readonly string[] = [
  ...["Agent", "Bash", "BashOutput", "Edit", "Glob", "Grep", "KillShell", "LS", "MultiEdit", "NotebookEdit"],
  ...["Read", "Skill", "Task", "TaskCreate", "TaskOutput", "TaskUpdate", "TodoWrite", "ToolSearch"],
  ...["WebFetch", "WebSearch", "Write"],
  ...["AskUserQuestion", "EnterPlanMode", "ExitPlanMode", "EnterWorktree", "ExitWorktree", "LSP", "Monitor"],
  ...["ListMcpResourcesTool", "ReadMcpResourceTool", "PowerShell", "SendMessage", "SlashCommand"],
  ...["StructuredOutput", "TaskGet", "TaskList", "TaskStop", "CronCreate", "CronDelete", "CronList"],
];

/** What a star may stand for: nothing, something, the rest of a tool's name, a server. */
const STAR_SAMPLES = ["", "x", "list_issues", "mcp__x__"] as const;
const CHARACTERS = [..."xabcdefghijklmnopqrstuvwyz_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-.:"];

/** Some names that match the pattern, of each of its alternatives; none for a pattern that is not valid. */
export function sampleNames(pattern: string): string[] {
  const parsed = parseGlob(pattern);
  if ("problem" in parsed) return [];
  const names = parsed.alternatives.flatMap((tokens) =>
    (tokens.includes(STAR) ? STAR_SAMPLES : [""]).map((star) =>
      tokens.map((token) => (token === STAR ? star : sampleCharacter(token))).join(""),
    ),
  );
  return [...new Set(names)];
}

function sampleCharacter({ literal, source }: Token): string {
  if (literal !== undefined) return literal;
  const matches = compileGlob(source);
  return CHARACTERS.find((character) => matches(character)) ?? "";
}

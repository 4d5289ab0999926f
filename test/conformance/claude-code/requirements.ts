// SPDX-License-Identifier: Apache-2.0
// What the client asks of a hook, as data: a scenario says with `verifies` which of these it shows, and the
// coverage test fails on one that no scenario cites.

interface Requirement {
  /** How it is known: seen with the client of that version, or read in its documentation or schemas only. */
  readonly source: string;
  readonly behavior: string;
}

const SEEN = "observed with client 2.1.332";
const SEEN_BOTH = "observed with clients 2.1.197 and 2.1.332";
const READ = "the client's tool schemas; not observed";

export const requirements = {
  "answer:envelope": {
    source: SEEN_BOTH,
    behavior:
      "an answer is one JSON document with hookEventName PostToolUse and updatedToolOutput, nothing around it",
  },
  "answer:received-shape": {
    source: SEEN,
    behavior: "a built-in tool's answer passes the tool's output schema, with every key that was received",
  },
  "answer:rest-untouched": {
    source: SEEN,
    behavior: "everything outside the regions is the received bytes",
  },
  "post-tool-use:ids": {
    source: SEEN_BOTH,
    behavior: "session_id, tool_use_id and, inside a sub-agent, agent_id name the reader",
  },
  "post-tool-use:bash": { source: SEEN_BOTH, behavior: "Bash shows stdout, then stderr where there is any" },
  "post-tool-use:bash-image": { source: SEEN, behavior: "a Bash image is not text" },
  "post-tool-use:bash-background": {
    source: SEEN,
    behavior: "a command in the background has no text yet",
  },
  "post-tool-use:bash-persisted": {
    source: SEEN_BOTH,
    behavior: "a large Bash output comes with its file's path and size, which go when stdout is replaced",
  },
  "post-tool-use:read": {
    source: SEEN_BOTH,
    behavior: "a file's text may only lose its end, and numLines follows; startLine and totalLines stay",
  },
  "post-tool-use:read-image": { source: SEEN, behavior: "an image that is read has no text" },
  "post-tool-use:grep-content": {
    source: SEEN,
    behavior: "matching lines are text, and numLines follows; totalLines stays",
  },
  "post-tool-use:grep-files": {
    source: SEEN,
    behavior: "a list of files keeps whole names plus one marker element, and numFiles counts the names kept",
  },
  "post-tool-use:grep-count": {
    source: SEEN,
    behavior: "counts may only lose their end; numFiles and numMatches are of the search and stay",
  },
  "post-tool-use:glob": { source: SEEN, behavior: "Glob's filenames are treated as Grep's" },
  "post-tool-use:agent": { source: SEEN, behavior: "a foreground agent's report is its text blocks" },
  "post-tool-use:agent-async": { source: SEEN, behavior: "a background agent's start has no text" },
  "post-tool-use:one-line-tools": {
    source: SEEN,
    behavior: "Edit, Write, TaskCreate and ToolSearch show one line that is not in the result",
  },
  "post-tool-use:web": {
    source: READ,
    behavior: "WebFetch shows result, WebSearch the strings among its results",
  },
  "post-tool-use:unknown-tool": {
    source: READ,
    behavior: "of an unknown built-in tool only long texts are regions; keys and arrays stay",
  },
  "post-tool-use:mcp-blocks": {
    source: SEEN_BOTH,
    behavior: "an MCP result is an array of content blocks and stays one; each text block is a region",
  },
  "post-tool-use:mcp-string": {
    source: SEEN_BOTH,
    behavior: "an MCP result with structured content is a string and stays one",
  },
  "post-tool-use:mcp-token-limit": {
    source: SEEN_BOTH,
    behavior: "the notice for an MCP result above the token limit is left alone",
  },
  "spill:thresholds": {
    source: SEEN,
    behavior:
      "the client replaces Bash text from 30,000, MCP above 50,000 and Grep above 20,000 characters; Read never",
  },
  "post-tool-use-failure:size": {
    source: SEEN_BOTH,
    behavior: "a failed call cannot be rewritten; the model sees its error text",
  },
  "post-tool-batch:deliveries": {
    source: SEEN_BOTH,
    behavior: "PostToolBatch carries each call's text as the model gets it: numbered, headed, or a preview",
  },
  "session:start": { source: SEEN, behavior: "SessionStart of every source begins the context anew" },
  "session:compact": { source: SEEN, behavior: "PreCompact and PostCompact end what was in view" },
  "events:others": { source: SEEN, behavior: "other events of the client are known and not answered" },
} as const satisfies Record<string, Requirement>;

type RequirementId = keyof typeof requirements;

/** A test's title: the requirement it shows. */
export function verifies(id: RequirementId): string {
  return `${id}: ${requirements[id].behavior}`;
}

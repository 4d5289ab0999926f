// SPDX-License-Identifier: Apache-2.0
// What OpenCode asks of a plugin, as data: a scenario says with `verifies` which of these it shows, and the coverage
// test fails on one that no scenario cites.

interface Requirement {
  /** How it is known: seen with OpenCode of that version, or read in its documentation only. */
  readonly source: string;
  readonly behavior: string;
}

const SEEN = "observed with OpenCode 1.18.33";

export const requirements = {
  "after:built-in": {
    source: SEEN,
    behavior:
      "a built-in tool's result is { title, output, metadata }; the model gets output as the plugin leaves it",
  },
  "after:mcp": {
    source: SEEN,
    behavior: "an MCP tool's result is { content, structuredContent? }; the model gets the text blocks",
  },
  "after:mcp-name": {
    source: SEEN,
    behavior: "an MCP tool is called server_tool, with _ for every other character than A-Z a-z 0-9 _ -",
  },
  "after:read": {
    source: SEEN,
    behavior:
      "a file that was read stands numbered between <content> and </content>, with a note of its length",
  },
  "after:folder": {
    source: SEEN,
    behavior: "a folder that was read stands between <entries> and </entries>",
  },
  "after:truncated": {
    source: SEEN,
    behavior: "a long output is cut by OpenCode itself and begins with the place of the whole",
  },
  "after:throws": {
    source: SEEN,
    behavior: "what a plugin throws takes the result's place, so it must throw nothing",
  },
} as const satisfies Readonly<Record<string, Requirement>>;

/** Names the requirement that a scenario shows. */
export function verifies(id: keyof typeof requirements): string {
  return `${id}: ${requirements[id].behavior}`;
}

// SPDX-License-Identifier: Apache-2.0
// Tool output as real tools give it, made up and always the same: for warming, benchmarks, try and tests.

/** The session of all events here. */
export const SESSION_ID = "3f0c6e1a-0000-4000-8000-000000000001";

const REPEAT_EVERY = 37;

/** `count` issues in the shape of GitHub's REST API; the one at `failing` reports a broken build. */
export function githubIssues(count: number, failing = -1): object[] {
  return Array.from({ length: count }, (_, index) => githubIssue(index + 1, index === failing));
}

function githubIssue(number: number, failing: boolean): object {
  const url = `https://api.github.com/repos/acme/rocket/issues/${number}`;
  const person = githubUser(number % 7);
  return {
    url,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: `https://github.com/acme/rocket/issues/${number}`,
    id: 2_900_000_000 + number * 7919,
    node_id: `I_kwDOA${(number * 2_654_435_761).toString(36)}Xc5`,
    number,
    title: failing ? "Release build broken on main" : TITLES[number % TITLES.length],
    user: person,
    labels: [
      { id: 100 + (number % 5), node_id: `LA_kw${number % 5}`, name: "bug", color: "d73a4a", default: true },
    ],
    state: failing ? "failure" : "open",
    assignee: null,
    comments: number % 9,
    created_at: `2026-03-${String((number % 28) + 1).padStart(2, "0")}T08:${String(number % 60).padStart(2, "0")}:00Z`,
    body: failing
      ? "error: linking with `cc` failed: exit status 1\nundefined symbol: rocket_start"
      : `Seen on version 4.${number % 12}.1.\r\n\r\n${BODIES[number % BODIES.length]}`,
    reactions: { url: `${url}/reactions`, total_count: number % 4, "+1": number % 3, "-1": 0, laugh: 0 },
    timeline_url: `${url}/timeline`,
    performed_via_github_app: null,
  };
}

function githubUser(index: number): object {
  const login = `dev${index}`;
  const url = `https://api.github.com/users/${login}`;
  return {
    login,
    id: 5000 + index,
    node_id: `MDQ6VXNlcjUw${index}`,
    avatar_url: `https://avatars.githubusercontent.com/u/${5000 + index}?v=4`,
    url,
    html_url: `https://github.com/${login}`,
    followers_url: `${url}/followers`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    type: "User",
    site_admin: false,
  };
}

const TITLES = [
  "Crash when the window is resized while loading",
  "Größe der Spalte wird nicht gespeichert",
  "Time-outs are reported as success",
  "検索結果が空になる",
  "Docs: the example for retries does not compile",
];

const BODIES = [
  "Steps: open two tabs, close the first, press reload. The list keeps its old order until the next start.",
  "The value survives a restart only if the folder is on the same disk. 設定を変えても同じです。",
  "Expected a non-zero exit code, got 0. It started with the update of last week; older versions are fine.",
];

/** `count` lines of a build and test log, some of them repeated and, with `failures`, some of them failing. */
export function logLines(count: number, failures = false): string {
  const lines: string[] = [];
  for (let index = 1; index <= count; index++) {
    if (failures && index % (REPEAT_EVERY * 9) === 0)
      lines.push(`ERROR src/part-${index}.ts:12:7 expected 4, got 5`);
    else if (index % REPEAT_EVERY < 4) lines.push("waiting for the lock on the build folder");
    else
      lines.push(
        `[${String(index).padStart(6, "0")}] compiled src/part-${(index * 31) % 997}.ts in ${index % 89} ms`,
      );
  }
  return `${lines.join("\n")}\n`;
}

/** A PostToolUse event of Claude Code for an MCP tool whose result is one text block. */
export function mcpEvent(tool: string, text: string): string {
  return hookEvent(tool, { query: "is:open" }, [{ type: "text", text }]);
}

/** A PostToolUse event of Claude Code for a shell command. */
export function bashEvent(stdout: string): string {
  const response = { stdout, stderr: "", interrupted: false, isImage: false, noOutputExpected: false };
  return hookEvent("Bash", { command: "npm test", description: "Run the tests" }, response);
}

function hookEvent(tool: string, input: object, response: unknown): string {
  return JSON.stringify({
    session_id: SESSION_ID,
    transcript_path: `/home/dev/.claude/projects/-home-dev-rocket/${SESSION_ID}.jsonl`,
    cwd: "/home/dev/rocket",
    permission_mode: "default",
    hook_event_name: "PostToolUse",
    tool_name: tool,
    tool_input: input,
    tool_response: response,
    tool_use_id: "toolu_01ABCDEFGHJKLMNPQRSTUVWX",
    duration_ms: 412,
  });
}

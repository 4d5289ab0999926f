// SPDX-License-Identifier: Apache-2.0
// What the tiny MCP server answers: one tool for each shape of a result that the client knows.

/** One red pixel. */
export const PIXEL_PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

type Answer = { readonly content: readonly object[]; readonly [key: string]: unknown };

const text = (value: string) => ({ type: "text", text: value });
const only = (value: string): Answer => ({ content: [text(value)] });

function rows(count: number): object[] {
  return Array.from({ length: count }, (_, id) => ({
    id,
    node_id: `NODE_${id}`,
    title: `row ${id}`,
    html_url: `https://example.com/rows/${id}`,
    author: { login: "ada", avatar_url: "https://example.com/ada.png" },
  }));
}

function longText(count: number): string {
  return Array.from({ length: count }, (_, n) => `line ${n + 1} of a long answer`).join("\n");
}

/** Spellings that a parser would lose; the text is built by hand for that. */
function numbers(): string {
  const points = Array.from({ length: 60 }, (_, n) => `${n}.10`).join(",");
  const entries = Array.from(
    { length: 30 },
    (_, n) => `{"big":12345678901234567890,"price":1.10,"exp":1E2,"escaped":"\\u0041${n}","node_id":"N${n}"}`,
  ).join(",\n  ");
  return `{"entries":[\n  ${entries}\n],"points":[${points}],"total":30}\r\n`;
}

function failing(): string {
  const runs = Array.from({ length: 40 }, (_, id) =>
    id === 25
      ? {
          id,
          name: `job ${id}`,
          conclusion: "failure",
          error: "exit code 137",
          details_url: "https://example.com",
        }
      : { id, name: `job ${id}`, conclusion: "success", error: null, details_url: "https://example.com" },
  );
  return JSON.stringify({ total_count: 40, workflow_runs: runs });
}

const structured = { items: rows(30), total: 30 };

/** `n` is the argument of the same name. */
type Tool = (n: number | undefined) => Answer;

/** Tool name → its answer. */
export const TOOLS: ReadonlyMap<string, Tool> = new Map<string, Tool>([
  ["text", () => only("plain text\nsecond line")],
  ["long", (n) => only(longText(n ?? 300))],
  ["passed", () => only(longText(300))],
  ["json_text", () => only(JSON.stringify({ items: rows(30), total: 30 }, null, 2))],
  ["rows", (n) => only(JSON.stringify({ items: rows(n ?? 40) }))],
  ["failing", () => only(failing())],
  ["numbers", () => only(numbers())],
  ["multi", () => ({ content: [text(longText(120)), text("short part"), text(longText(90))] })],
  ["structured", () => ({ content: [text(JSON.stringify(structured))], structuredContent: structured })],
  ["structured_only", () => ({ content: [], structuredContent: structured })],
  ["structured_differing", () => ({ content: [text("for people")], structuredContent: structured })],
  [
    "image",
    () => ({ content: [text(longText(100)), { type: "image", data: PIXEL_PNG, mimeType: "image/png" }] }),
  ],
  [
    "resource",
    () => ({
      content: [
        { type: "resource", resource: { uri: "file:///x.txt", mimeType: "text/plain", text: longText(100) } },
        { type: "resource_link", uri: "file:///y.txt", name: "y", description: "a link" },
      ],
    }),
  ],
  ["meta", () => ({ content: [text(longText(100))], _meta: { origin: "test" } })],
  ["empty", () => ({ content: [] })],
  ["error", () => ({ content: [text(`the tool failed\n${longText(300)}`)], isError: true })],
  [
    "throw",
    () => {
      throw new Error("the server failed");
    },
  ],
  [
    "languages",
    () =>
      only(Array.from({ length: 200 }, (_, n) => `第${n}行: 漢字かな交じり 🚀🇩🇪👩‍👩‍👧 – שלום`).join("\n")),
  ],
]);

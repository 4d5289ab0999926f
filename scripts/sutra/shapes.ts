// SPDX-License-Identifier: Apache-2.0
// Eight shapes of tool output, each with one clue: the sizes and token counts are those of a published benchmark of
// SUTRA 0.2.0, so that the rows can be set side by side. Deterministic; made here, not copied.

export interface Shape {
  readonly name: string;
  /** The tool's name, as the rules match it. */
  readonly tool: string;
  readonly text: string;
  /** Stands once in the text; what a reader looks for. */
  readonly clue: string;
  /** JSON pointer of the string that holds the clue, where the text is a document. */
  readonly field?: string;
  /** Kinds of clue that must be in view without any reveal: a failing test, the first error of a build. */
  readonly mustShow: boolean;
  /** As published: bytes and tokens before, and what SUTRA saved of them, in percent. */
  readonly published: {
    readonly bytes: number;
    readonly tokens: number;
    readonly savedBytes: number;
    readonly savedTokens: number;
  };
}

/** Where in a text the clue stands. */
const CLUE_AT = 0.6;

function clueOf(shape: string): string {
  return `CLUE-${shape}-7f3a`;
}

function linesOf<T = string>(count: number, line: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => line(n));
}

/** Puts `line` in place of the one at the clue's share of the way. */
function plant(lines: string[], line: string): string {
  lines[Math.floor(lines.length * CLUE_AT)] = line;
  return lines.join("\n");
}

function pad(n: number, width: number): string {
  return String(n).padStart(width, "0");
}

function commandOutput(): Shape {
  const clue = clueOf("command");
  const text = plant(linesOf(12_000, String), clue);
  const published = { bytes: 60_890, tokens: 35_000, savedBytes: 69.5, savedTokens: 71.0 };
  return { name: "12,000-line command output", tool: "Bash", text, clue, mustShow: false, published };
}

function jsonEnvelope(): Shape {
  const clue = clueOf("envelope");
  const log = plant(
    linesOf(2000, (n) => `row ${pad(n, 5)} of the export, as written to it`),
    `row ${clue} has another checksum`,
  );
  const meta = Object.fromEntries(
    linesOf(7, (n) => [`setting_${n}`, `value ${n} of this run, kept as it is`]),
  );
  const text = JSON.stringify({ tool: "export", status: "ok", exit_code: 0, meta, log });
  const published = { bytes: 85_900, tokens: 26_012, savedBytes: 77.6, savedTokens: 78.2 };
  return {
    name: "JSON tool envelope, one line",
    tool: "mcp__exporter__run",
    text,
    clue,
    field: "/log",
    mustShow: false,
    published,
  };
}

function testRun(): Shape {
  const clue = clueOf("test");
  const text = plant(
    linesOf(2000, (n) => `tests/test_orders.py::test_case_${pad(n, 4)} PASSED [ ok]`),
    `tests/test_orders.py::test_${clue} FAILED [bad]`,
  );
  const published = { bytes: 99_800, tokens: 29_998, savedBytes: 81.4, savedTokens: 81.6 };
  return { name: "test run, 2,000 cases", tool: "Bash", text, clue, mustShow: true, published };
}

function traceback(): Shape {
  const clue = clueOf("traceback");
  const frames = linesOf(3000, (n) => {
    const place = `  File "/srv/app-v2/lib/r_${n}.py", line ${n}, in step_${n}`;
    return `${place}\n    return self.next(context, *arguments, **keyword)  # h(p)`;
  });
  const text = `Traceback (most recent call last):\n${frames.join("\n")}\nRecursionError: ${clue}\n`;
  const published = { bytes: 359_400, tokens: 126_015, savedBytes: 97.1, savedTokens: 97.1 };
  return { name: "3,000-frame traceback", tool: "Bash", text, clue, mustShow: true, published };
}

function patch(): Shape {
  const clue = clueOf("patch");
  const added = linesOf(12_000, (n) => `+ here stands a row ${pad(n, 6)} resolved`);
  added[7200] = `+ here stands a row ${clue}`;
  const head = "diff --git a/rows.txt b/rows.txt\nnew file mode 100644\n--- /dev/null\n+++ b/rows.txt\n";
  const text = `${head}@@ -0,0 +1,${added.length} @@\n${added.join("\n")}\n`;
  const published = { bytes: 432_100, tokens: 120_039, savedBytes: 0, savedTokens: 0 };
  return { name: "patch of 12,000 added lines", tool: "Bash", text, clue, mustShow: true, published };
}

function sqlResult(): Shape {
  const clue = clueOf("sql");
  const row = (id: number, status: string) =>
    ` ${pad(id, 6)} | customer ${pad(id, 6)} | 2026-11-30 | ${status}  `;
  const rows = linesOf(900, (n) => row(n, "is paid."));
  rows[Math.floor(900 * CLUE_AT)] = ` 000540 | customer 000540 | 2026-11-30 | ${clue}  `;
  const text = ["   id   |     customer    |    date    | status ", ...rows].join("\n");
  const published = { bytes: 46_600, tokens: 18_906, savedBytes: 60.3, savedTokens: 60.1 };
  return { name: "900-row SQL result", tool: "mcp__postgres__query", text, clue, mustShow: false, published };
}

function buildLog(): Shape {
  const clue = clueOf("build");
  const text = plant(
    linesOf(8000, (n) => `[build] cc -c -O unit ${n} (object files)`),
    `src/engine.c:88:12: error: ${clue} undeclared`,
  );
  const published = { bytes: 334_900, tokens: 127_005, savedBytes: 94.4, savedTokens: 94.6 };
  return { name: "8,000-line build log", tool: "Bash", text, clue, mustShow: true, published };
}

function jsonArray(): Shape {
  const clue = clueOf("array");
  const items = linesOf(8000, (n) => `{"id": ${n}, "ok": true}`);
  items[Math.floor(items.length * CLUE_AT)] = `{"id": 4800, "ok": "${clue}"}`;
  const published = { bytes: 206_890, tokens: 103_002, savedBytes: 0, savedTokens: 0 };
  return {
    name: "8,000-item JSON array",
    tool: "mcp__inventory__list",
    text: `[${items.join(", ")}]`,
    clue,
    mustShow: false,
    published,
  };
}

/** The eight shapes, in the published order. */
export function makeShapes(): Shape[] {
  return [
    commandOutput(),
    jsonEnvelope(),
    testRun(),
    traceback(),
    patch(),
    sqlResult(),
    buildLog(),
    jsonArray(),
  ];
}

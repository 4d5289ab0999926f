// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { markFailing } from "../../../src/core/text/failing.ts";
import { splitLines } from "../../../src/core/text/lines.ts";
import { KEPT } from "../../../src/core/text/marks.ts";
import { findTraces } from "../../../src/core/text/traceback.ts";
import { encode, numbered, render } from "./support.ts";

function tracesOf(text: string): string[][] {
  const lines = splitLines(encode(text));
  const marks = new Uint8Array(lines.count).fill(KEPT);
  markFailing(lines, marks, 0, lines.count);
  const all = text.split("\n");
  return findTraces(lines, marks).map((trace) => [...trace].sort((a, b) => a - b).map((line) => all[line]!));
}

const frames = (count: number, frame: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => frame(n)).join("");

describe("C8: a traceback keeps its end", () => {
  it.each([
    [
      "Python",
      `Traceback (most recent call last):\n${frames(40, (n) => `  File "/a.py", line ${n}, in f\n    g(${n})\n`)}ValueError: bad\n`,
      ["Traceback (most recent call last):", '  File "/a.py", line 39, in f', "    g(39)", "ValueError: bad"],
    ],
    [
      "Python, indented, with a note",
      `  Traceback (most recent call last):\n${frames(40, (n) => `    File "/a.py", line ${n}, in f\n      g(${n})\n`)}  KeyError: 'x'\n  a note\n\n`,
      ["  Traceback (most recent call last):", "      g(39)", "  KeyError: 'x'", "  a note"],
    ],
    [
      "Java",
      `Exception in thread "main" java.lang.RuntimeException: outer\n${frames(40, (n) => `\tat a.B.c${n}(B.java:${n})\n`)}Caused by: java.io.IOException: root\n${frames(40, (n) => `\tat d.E.f${n}(E.java:${n})\n`)}\t... 23 more\n`,
      [
        'Exception in thread "main" java.lang.RuntimeException: outer',
        "\tat a.B.c0(B.java:0)",
        "Caused by: java.io.IOException: root",
        "\tat d.E.f0(E.java:0)",
        "\t... 23 more",
      ],
    ],
    [
      "JavaScript",
      `TypeError: x is not a function\n${frames(40, (n) => `    at f${n} (/a.js:${n}:1)\n`)}`,
      ["TypeError: x is not a function", "    at f0 (/a.js:0:1)", "    at f39 (/a.js:39:1)"],
    ],
    [
      ".NET",
      `Unhandled exception. System.Exception: outer\n ---> System.IO.IOException: inner\n${frames(30, (n) => `   at A.B${n}() in /a.cs:line ${n}\n`)}   --- End of inner exception stack trace ---\n${frames(30, (n) => `   at C.D${n}() in /a.cs:line ${n}\n`)}`,
      [
        " ---> System.IO.IOException: inner",
        "   at A.B0() in /a.cs:line 0",
        "   --- End of inner exception stack trace ---",
        "   at C.D0() in /a.cs:line 0",
      ],
    ],
    [
      "Go",
      `panic: boom\n\ngoroutine 1 [running]:\n${frames(40, (n) => `main.f${n}()\n\t/a.go:${n} +0x1d\n`)}exit status 2\n`,
      ["panic: boom", "goroutine 1 [running]:", "main.f0()", "\t/a.go:0 +0x1d"],
    ],
    [
      "Rust",
      "thread 'main' panicked at src/main.rs:2:5:\nindex out of bounds\nnote: run with `RUST_BACKTRACE=1`\n",
      [
        "thread 'main' panicked at src/main.rs:2:5:",
        "index out of bounds",
        "note: run with `RUST_BACKTRACE=1`",
      ],
    ],
    [
      "Ruby",
      `a.rb:3:in 'f': bad (RuntimeError)\n${frames(40, (n) => `\tfrom a.rb:${n}:in 'g'\n`)}`,
      ["a.rb:3:in 'f': bad (RuntimeError)", "\tfrom a.rb:0:in 'g'"],
    ],
    [
      "PHP",
      `PHP Fatal error:  Uncaught Exception: bad in /a.php:3\nStack trace:\n${frames(40, (n) => `#${n} /a.php(${n}): f()\n`)}`,
      ["PHP Fatal error:  Uncaught Exception: bad in /a.php:3", "Stack trace:", "#0 /a.php(0): f()"],
    ],
  ])("%s", (_name, trace, wanted) => {
    const found = tracesOf(`${numbered(20)}${trace}${numbered(20)}`);
    expect(found[0]).toEqual(expect.arrayContaining([...wanted]));
    for (const lines of found) expect(lines.length).toBeLessThanOrEqual(12);
    const out = render(`${numbered(200)}${trace}${numbered(200)}`, { maxLines: 24 });
    for (const line of wanted) expect(`\n${out}`).toContain(`\n${line}\n`);
    expect(out.split("\n").length).toBeLessThan(56);
  });

  it("keeps both errors of a chain", () => {
    const one = (name: string) =>
      `Traceback (most recent call last):\n${frames(9, (n) => `  File "/a.py", line ${n}\n    g()\n`)}${name}: bad\n`;
    const chain = `${one("KeyError")}\nDuring handling of the above exception, another exception occurred:\n\n${one("ValueError")}`;
    const out = render(`${numbered(200)}${chain}${numbered(200)}`, { maxLines: 20 });
    expect(out).toMatch(/^KeyError: bad$/m);
    expect(out).toMatch(/^ValueError: bad$/m);
  });

  it("names one of several alike", () => {
    const trace = (n: number) => `TypeError: x ${n}\n    at f (/a.js:${n}:1)\n    at g (/a.js:2:1)\n`;
    expect(tracesOf(frames(50, trace))).toHaveLength(1);
  });

  it.each([
    ["prose", "look\n  at the end of it\nfrom here\n"],
    ["a head without frames", "Traceback (most recent call last):\nnothing\n"],
    ["a panic without goroutines", "panic: x\nthe end\n"],
    ["frames at the start of the text", "    at f (/a.js:1:1)\n"],
  ])("does not take %s for one", (_name, text) => expect(tracesOf(text)).toEqual([]));
});

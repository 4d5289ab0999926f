// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { EXAMPLE_ID } from "../../src/core/marker.ts";
import { ArgumentError, callReveal, parseRevealArguments } from "../../src/mcp/reveal-tool.ts";
import { openStore, STORE_DEFAULTS } from "../../src/store/vault.ts";
import { makeTempHome } from "./support.ts";

const id = EXAMPLE_ID;

describe("parseRevealArguments", () => {
  it.each([
    ["an id", { id }, { id }],
    ["blanks around it", { id: ` ${id}\n` }, { id }],
    ["ranges", { id, lines: "21:380" }, { id, lines: { from: 21, to: 380 } }],
    ["as a marker spells them", { id, items: "2-18" }, { id, items: { from: 2, to: 18 } }],
    ["one line, as a number", { id, lines: 7 }, { id, lines: { from: 7, to: 7 } }],
    ["one item, as text", { id, items: "0" }, { id, items: { from: 0, to: 0 } }],
    ["bytes", { id, bytes: "0:100", field: "/a/0" }, { id, bytes: { from: 0, to: 100 }, field: "/a/0" }],
    [
      "a search",
      { id, search: "Error", regex: true, context: 3 },
      { id, search: "Error", regex: true, context: 3 },
    ],
    [
      "numbers and switches as text",
      { id, errors: "true", context: "2", max_matches: "9" },
      { id, errors: true, context: 2, maxMatches: 9 },
    ],
    ["a page", { id, max_bytes: 65536 }, { id, maxBytes: 65536 }],
    ["more than a page may have is answered", { id, max_bytes: 65537 }, { id, maxBytes: 65537 }],
    ["what is left empty", { id, lines: "", search: null, field: "" }, { id }],
  ])("takes %s", (_, args, expected) => {
    expect(JSON.parse(JSON.stringify(parseRevealArguments(args)))).toEqual(expected);
  });

  it.each([
    ["no object", [], "arguments must be an object"],
    ["no id", {}, "id is missing"],
    ["an empty id", { id: " " }, "id is missing"],
    ["an id that is no text", { id: 12345678 }, "id must be a text"],
    ["another argument", { id, line: "1:2" }, "there is no argument line"],
    ["no range", { id, lines: "1:" }, "lines must be a range A:B"],
    ["a range backwards", { id, items: "5:2" }, "items must be a range A:B"],
    ["a negative number", { id, context: -1 }, "context must be a whole number"],
    ["a fraction", { id, max_bytes: 1.5 }, "max_bytes must be a whole number"],
    ["no switch", { id, errors: "yes" }, "errors must be true or false"],
    ["two ranges", { id, lines: "1:2", bytes: "1:2" }, "give one of lines"],
    ["an empty search", { id, search: "" }, "the search is empty"],
    ["search and errors", { id, search: "a", errors: true }, "give one of search and errors"],
    ["line 0", { id, lines: "0:2" }, "lines count from 1"],
  ])("refuses %s", (_, args, words) => {
    expect(() => parseRevealArguments(args)).toThrow(ArgumentError);
    expect(() => parseRevealArguments(args)).toThrow(words);
  });
});

describe("callReveal", () => {
  it("answers one text with the JSON of reveal, and tells its status", () => {
    const home = makeTempHome();
    const { stateDir, keyFile } = home.env;
    const store = openStore({ ...STORE_DEFAULTS, stateDir: stateDir.value, keyFile: keyFile.value });
    const text = Array.from({ length: 9 }, (_, i) => `line ${i + 1}\n`).join("");
    const saved = store.save(Buffer.from(text), { tool: "Bash", kind: "text" });
    const statuses: string[] = [];
    const call = (args: object) => callReveal(args, home.env, (status) => statuses.push(status));
    const { content, isError } = call({ id: saved, lines: "2:3" });
    expect(content).toHaveLength(1);
    expect(isError).toBeUndefined();
    const [block] = content;
    const answer: unknown = JSON.parse(block?.type === "text" ? block.text : "");
    expect(answer).toMatchObject({
      status: "ok",
      text: "line 2\nline 3\n",
      note: expect.stringContaining("not instructions"),
    });
    expect(call({ id }).isError).toBeUndefined();
    expect(call({ id: saved, lines: "50:51" }).isError).toBe(true);
    expect(statuses).toEqual(["ok", "not_found", "error"]);
    home.remove();
  });
});

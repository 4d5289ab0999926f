// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { parseMarker } from "../../src/core/marker.ts";
import { JSON_FIELDS, TEXT_FIELDS } from "../../src/mcp/event.ts";
import { parseRevealArguments } from "../../src/mcp/reveal-tool.ts";
import { INSTRUCTIONS, TOOLS, toolsFor } from "../../src/mcp/tools.ts";

const [reveal, compress] = TOOLS;

describe("the tools", () => {
  it("are reveal, always loaded, and compress, hidden from the model", () => {
    expect(TOOLS.map(({ name }) => name)).toEqual(["reveal", "compress"]);
    expect(reveal?._meta).toEqual({ "anthropic/alwaysLoad": true, "anthropic/maxResultSizeChars": 500_000 });
    expect(compress?._meta).toEqual({ ui: { visibility: ["app"] } });
  });

  it.each([
    ["claude-code", ["reveal", "compress"]],
    [undefined, ["reveal", "compress"]],
    ["opencode", ["reveal"]],
    ["mcp", ["reveal"]],
  ])("client %s, which may show all to its model, is told of %j", (client, expected) => {
    expect(toolsFor(client).map(({ name }) => name)).toEqual(expected);
  });

  it("reveal: description and schema together are at most 1,000 bytes", () => {
    const bytes = Buffer.byteLength(`${reveal?.description}${JSON.stringify(reveal?.inputSchema)}`);
    expect(bytes).toBeLessThanOrEqual(1000);
  });

  it("reveal: each argument of the schema is one that is read", () => {
    const names = Object.keys(reveal?.inputSchema.properties ?? {});
    const values = new Map<string, unknown>([
      ["lines", "1:2"],
      ["items", "1:2"],
      ["bytes", "1:2"],
      ["context", 1],
      ["max_bytes", 1],
      ["max_matches", 1],
      ["regex", false],
      ["errors", false],
    ]);
    expect(names).toHaveLength(11);
    for (const name of names) {
      const partner = ["context", "max_matches"].includes(name) ? { search: "a" } : {};
      const args = { id: "0123456789abcdef", ...partner, [name]: values.get(name) ?? "/text" };
      expect(Object.values(parseRevealArguments(args)).filter((value) => value !== undefined)).toHaveLength(
        Object.keys(args).length,
      );
    }
  });

  it("compress: every field of an event is a string", () => {
    const names = [...TEXT_FIELDS, ...JSON_FIELDS];
    expect(compress?.inputSchema.properties).toEqual(
      Object.fromEntries(names.map((name) => [name, { type: "string" }])),
    );
  });

  it("the instructions are one line that shows a marker", () => {
    expect(INSTRUCTIONS).not.toContain("\n");
    const marker = /\[isthmos: [^\]]*\]/.exec(INSTRUCTIONS)?.[0].replace("ID", "0123456789abcdef") ?? "";
    expect(parseMarker(marker)).toBeDefined();
  });
});

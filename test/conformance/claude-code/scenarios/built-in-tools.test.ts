// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { answerWith, cutAll, keepLines, loadCall, markerText, receivedOf, textsOf } from "../events.ts";
import { verifies } from "../requirements.ts";

describe("Bash", () => {
  it(verifies("post-tool-use:bash"), () => {
    const call = loadCall("bash");
    expect(call).toMatchObject({ tool: "Bash", spilled: false, own: false });
    expect(call.regions).toMatchObject([{ cut: "any", content: "text" }]);
    expect(answerWith(call, [keepLines(call.regions[0]!, 2)])).toMatchObject({
      stdout: `parcel 01 left depot B\nparcel 02 left depot C\n${markerText(38, 40)}`,
      stderr: "",
      interrupted: false,
    });
    const both = loadCall("bash-stderr");
    expect(textsOf(both)).toEqual(["scale ready\n12.50 kg", "scale: drift of 3 g\nscale: calibrate soon"]);
    expect(answerWith(both, [undefined, keepLines(both.regions[1]!, 1)])).toMatchObject({
      stdout: "scale ready\n12.50 kg",
      stderr: `scale: drift of 3 g\n${markerText(1, 2)}`,
    });
  });

  it(verifies("post-tool-use:ids"), () => {
    const session = "5e551011-0000-4000-8000-000000000001";
    const call = loadCall("bash");
    expect(call).toMatchObject({ session, useId: "toolu_fx_bash" });
    expect(call).not.toHaveProperty("agent");
    const inAgent = { session, agent: "a1b2c3d4e5f60718", useId: "toolu_fx_bash-subagent" };
    expect(loadCall("bash-subagent")).toMatchObject(inAgent);
  });

  it(verifies("post-tool-use:bash-image"), () => {
    expect(loadCall("bash-image").regions).toEqual([]);
  });

  it(verifies("post-tool-use:bash-background"), () => {
    expect(loadCall("bash-background").regions).toEqual([]);
  });

  it(verifies("post-tool-use:bash-persisted"), () => {
    const call = loadCall("bash-persisted");
    expect(call.spilled).toBe(true);
    expect(call.spillFile).toMatch(/\/tool-results\/bx9y8z7w6\.txt$/);
    const answer = answerWith(call, cutAll(call));
    expect(answer).toEqual({
      stdout: `parcel 01 left depot B\n${markerText(39, 40)}`,
      stderr: "",
      interrupted: false,
      isImage: false,
      noOutputExpected: false,
    });
  });
});

describe("Read", () => {
  it(verifies("post-tool-use:read"), () => {
    const call = loadCall("read");
    expect(call.regions).toMatchObject([{ cut: "tail", content: "text" }]);
    const content = `nails\nscrews\n${markerText(3, 5)}`;
    expect(answerWith(call, [keepLines(call.regions[0]!, 2)])).toEqual({
      type: "text",
      file: { filePath: "/home/dev/shop/stock.txt", content, numLines: 2, startLine: 1, totalLines: 6 },
    });
    const part = loadCall("read-part");
    expect(answerWith(part, [keepLines(part.regions[0]!, 3)])).toMatchObject({
      file: { numLines: 3, startLine: 120, totalLines: 900 },
    });
  });

  it(verifies("post-tool-use:read-image"), () => {
    expect(loadCall("read-image").regions).toEqual([]);
  });
});

describe("Grep and Glob", () => {
  it(verifies("post-tool-use:grep-content"), () => {
    const call = loadCall("grep-content");
    expect(call.regions).toMatchObject([{ cut: "any", content: "text" }]);
    expect(answerWith(call, [keepLines(call.regions[0]!, 4)])).toMatchObject({
      mode: "content",
      numFiles: 0,
      filenames: [],
      numLines: 4,
      totalLines: 12,
    });
  });

  it(verifies("post-tool-use:grep-files"), () => {
    const call = loadCall("grep-files");
    expect(call.regions).toMatchObject([{ cut: "tail", content: "names" }]);
    expect(textsOf(call)).toEqual(['src/till.ts\nsrc/täglich/"offer".ts\nsrc/tax.ts\nsrc/sale.ts']);
    expect(answerWith(call, [keepLines(call.regions[0]!, 2)])).toEqual({
      mode: "files_with_matches",
      filenames: ["src/till.ts", 'src/täglich/"offer".ts', markerText(2, 4)],
      numFiles: 2,
      totalFiles: 4,
    });
  });

  it(verifies("post-tool-use:grep-count"), () => {
    const call = loadCall("grep-count");
    expect(call.regions).toMatchObject([{ cut: "tail", content: "text" }]);
    expect(answerWith(call, [keepLines(call.regions[0]!, 1)])).toMatchObject({ numFiles: 3, numMatches: 25 });
  });

  it(verifies("post-tool-use:glob"), () => {
    const call = loadCall("glob");
    expect(call.regions).toMatchObject([{ cut: "tail", content: "names" }]);
    expect(answerWith(call, [keepLines(call.regions[0]!, 1)])).toMatchObject({
      filenames: ["src/till.ts", markerText(2, 3)],
      numFiles: 1,
      truncated: false,
      totalMatches: 3,
    });
  });
});

describe("other tools", () => {
  it(verifies("post-tool-use:agent"), () => {
    const call = loadCall("agent");
    const text = `Shelf one holds nails.\n${markerText(2, 3)}`;
    expect(answerWith(call, cutAll(call))).toMatchObject({
      prompt: "Count the shelves",
      content: [{ type: "text", text }],
    });
  });

  it(verifies("post-tool-use:agent-async"), () => {
    expect(loadCall("agent-async").regions).toEqual([]);
  });

  it.each(["edit", "write", "task-create", "tool-search"])(
    `${verifies("post-tool-use:one-line-tools")}: %s`,
    (name) => {
      expect(loadCall(name).regions).toEqual([]);
    },
  );

  it(verifies("post-tool-use:web"), () => {
    expect(textsOf(loadCall("web-fetch"))).toEqual([
      "The shop opens at nine.\nIt closes at five.\nIt is shut on Sundays.",
    ]);
    const search = loadCall("web-search");
    expect(answerWith(search, [undefined, keepLines(search.regions[1]!, 1)])).toMatchObject({
      results: [
        "I will look for hinges.",
        { tool_use_id: "srvtoolu_fx" },
        `Brass hinges last longest.\n${markerText(2, 3)}`,
      ],
    });
  });

  it(verifies("post-tool-use:unknown-tool"), () => {
    const call = loadCall("unknown-tool");
    expect(call.regions.map(({ bytes }) => bytes.length > 1024)).toEqual([true]);
    const note = `step 1: the crate moved 1 metres\n${markerText(59, 60)}`;
    expect(answerWith(call, cutAll(call))).toEqual({
      ...(receivedOf(call) as object),
      entries: [
        { id: 7, note },
        { id: 8, note: "short" },
      ],
    });
  });
});

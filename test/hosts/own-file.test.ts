// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { removeOwnFile, sealOf, sealText, writeOwnFile } from "../../src/hosts/own-file.ts";
import { JsoncError } from "../../src/jsonc/document.ts";

const FILE = { path: "/x", isShared: false, what: "file" };
const sealed = sealText("//", "body\n");

describe("a seal", () => {
  it.each([
    ["as written", sealed, "whole"],
    ["in another language", sealText("#", ""), "whole"],
    ["of another version", sealText("//", "other\n"), "whole"],
    ["a character more", `${sealed} `, "changed"],
    ["a character less", sealed.slice(0, -1), "changed"],
    ["another first line", `// mine\n${sealed}`, "none"],
    ["nothing", "", "none"],
  ])("%s", (_, text, expected) => {
    expect(sealOf(text)).toBe(expected);
  });
});

describe("writeOwnFile", () => {
  it.each([
    ["no file", undefined],
    ["an empty one", " \n"],
    ["one of another version", sealText("//", "old\n")],
    ["one that was changed", `${sealed}more`],
  ])("takes the place of %s", (_, now) => {
    expect(writeOwnFile(FILE, sealed).edit(now)).toBe(sealed);
  });

  it("refuses a file of another's", () => {
    expect(() => writeOwnFile(FILE, sealed).edit("export {};\n")).toThrow(JsoncError);
  });
});

describe("removeOwnFile", () => {
  it.each([
    ["as written", sealed, undefined],
    ["changed", `${sealed}x`, `${sealed}x`],
    ["another's", "x", "x"],
    ["missing", undefined, undefined],
  ])("%s", (_, now, expected) => {
    expect(removeOwnFile(FILE).edit(now)).toBe(expected);
  });
});

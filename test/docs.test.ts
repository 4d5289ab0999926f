// SPDX-License-Identifier: Apache-2.0
// The documents say what the code does: links resolve, every option, field, code and variable is named, the examples
// are what the program answers, and each guarantee names tests that exist.
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { compress } from "../src/core/compress.ts";
import { FAILURE_KEYS, FAILURE_PARTS, FAILURE_WORDS } from "../src/core/json/failure-keys.ts";
import { EXAMPLE_ID, parseMarker } from "../src/core/marker.ts";
import { FILE_FIELDS, RULE_FIELDS, STORE_FIELDS } from "../src/core/rules/fields.ts";
import { parseRules } from "../src/core/rules/parse.ts";
import { resolvePolicy } from "../src/core/rules/policy.ts";
import { applySplices } from "../src/core/splice.ts";
import { HEALTH_CODES } from "../src/health.ts";
import { matcherMatches } from "../src/hosts/claude-code/matcher.ts";
import { findWiring } from "../src/hosts/claude-code/settings.ts";

const ROOT = join(import.meta.dirname, "..");
const DOCUMENTS = [
  "README.md",
  "docs/*.md",
  "CONTRIBUTING.md",
  "GOVERNANCE.md",
  "SECURITY.md",
  "CHANGELOG.md",
]
  .flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
  .sort();

function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

const README = read("README.md");
const FORMATS = read("docs/formats.md");

/** The fenced block after the comment `<!-- NAME -->`. */
function block(text: string, name: string): string {
  const [, content] = new RegExp(`<!-- ${name} -->\\n\`\`\`\\w*\\n([\\s\\S]*?)\`\`\`\\n`).exec(text) ?? [];
  if (content === undefined) throw new Error(`no block "${name}"`);
  return content;
}

/** The anchors that a Markdown document's headings make. */
function anchorsOf(text: string): string[] {
  const headings = text.replace(/^```[\s\S]*?^```/gm, "").matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\w -]/g, "")
      .replaceAll(" ", "-"),
  );
}

describe("links", () => {
  const links = DOCUMENTS.flatMap((document) =>
    [...read(document).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = ""]) => target)
      .filter((target) => !target.startsWith("https://"))
      .map((target) => [document, target] as const),
  );

  it("are many", () => expect(links.length).toBeGreaterThan(20));

  it.each(links)("%s leads to %s", (document, target) => {
    const [path = "", anchor] = target.split("#");
    const file = path === "" ? document : join(dirname(document), path);
    expect(existsSync(join(ROOT, file)), file).toBe(true);
    if (anchor !== undefined) expect(anchorsOf(read(file))).toContain(anchor);
  });
});

describe("what the code has, the documents name", () => {
  const tree = globSync("src/program/*.ts", { cwd: ROOT }).map(read).join("");
  const options = [...tree.matchAll(/\.option\("(--[a-z-]+)/g)].map(([, name = ""]) => name);
  const commands = [...tree.matchAll(/\.command\("([a-z]+)/g)].map(([, name = ""]) => name);
  const variables = [...read("src/env.ts").matchAll(/\b(?:(?:ISTHMOS|XDG|CLAUDE)_\w+|NO_COLOR)\b/g)].map(
    ([name]) => name,
  );

  it("finds options, commands and variables in the sources", () => {
    expect(options).toContain("--since");
    expect(commands).toContain("doctor");
    expect(variables).toContain("ISTHMOS_RULES");
  });

  it.each([...new Set(options)])("option %s", (name) =>
    expect(FORMATS).toMatch(new RegExp(`\`${name}[ \`]`)),
  );
  it.each([...new Set(commands)])("command %s", (name) =>
    expect(FORMATS).toMatch(new RegExp(`\`isthmos (?:rules |store |store key )?${name}\\b`)),
  );
  it.each([...new Set(variables)])("variable %s", (name) => expect(FORMATS).toContain(`\`${name}\``));
  it.each([...RULE_FIELDS, ...STORE_FIELDS, ...FILE_FIELDS].map(({ name }) => name))("field %s", (name) =>
    expect(FORMATS).toContain(`| \`${name}\` |`),
  );
  it.each(RULE_FIELDS.map(({ name }) => name))(
    "field %s, in the tables of README and docs/rules.md",
    (name) => {
      expect(README).toContain(`| \`${name}\` |`);
      expect(read("docs/rules.md")).toContain(`| \`${name}\` |`);
    },
  );
  it.each(HEALTH_CODES.map(({ code, meaning }) => [code, meaning]))("health code %s", (code, meaning) =>
    expect(FORMATS).toContain(`| \`${code}\` | ${meaning} |`),
  );
  it.each(
    FAILURE_KEYS.map(({ keys, meaning }) => `| ${keys.map((key) => `\`${key}\``).join(", ")} | ${meaning} |`),
  )("failure keys %s", (row) => expect(FORMATS).toContain(row));
  it.each([...FAILURE_WORDS, ...FAILURE_PARTS])("failing value %s", (word) =>
    expect(FORMATS).toContain(`\`${word}\``),
  );
});

describe("ids and markers", () => {
  it.each(DOCUMENTS)("%s: the example id is the only one", (document) => {
    const ids = read(document).match(/\b[0-9a-f]{16}\b/g) ?? [];
    expect(ids.filter((id) => id !== EXAMPLE_ID)).toEqual([]);
  });

  const markers = DOCUMENTS.flatMap((document) =>
    [...read(document).matchAll(/\[isthmos: [^\]…]*\]/g)].map(([marker]) => marker),
  ).filter((marker) => !marker.includes("COUNT"));

  it.each([...new Set(markers)])("%s is a marker that the program reads", (marker) => {
    const parsed = parseMarker(marker);
    expect(parsed).toBeDefined();
    expect(parsed?.id).toBe(marker.includes("full:") ? EXAMPLE_ID : undefined);
    if (marker.includes("truncated")) expect(parsed?.unit).toBeDefined();
  });
});

describe("examples", () => {
  it("the README's payload becomes what it shows, under the rule it shows", () => {
    const bytes = new TextEncoder().encode(block(README, "example: before"));
    const { settings } = parseRules(block(README, "example: rules"));
    const policy = resolvePolicy(settings.rules, "mcp__github__list_issues", bytes.length);
    if (policy === undefined) throw new Error("the rule does not match");
    const facts = { tool: "mcp__github__list_issues", seen: false, stored: new Set<string>(), lossy: true };
    const { splices, outBytes } = compress({ bytes, cut: "any", content: "text" }, policy, facts);
    expect(new TextDecoder().decode(applySplices(bytes, splices, EXAMPLE_ID))).toBe(
      block(README, "example: after"),
    );
    expect(README).toContain(`returned ${bytes.length.toLocaleString("en")} bytes`);
    expect(README).toContain(`the model reads ${outBytes} bytes`);
  });

  const rules = DOCUMENTS.flatMap((document) =>
    [...read(document).matchAll(/```json\n([\s\S]*?)```/g)]
      .map(([, text = ""]) => text)
      .filter((text) => /^\s*\{[\s"]*(?:tool|mode|rules)"/.test(text))
      .map((text) => [document, text.includes('"rules"') ? text : `[${text}]`] as const),
  );

  it.each(rules)("a rules file in %s has no problems", (_document, text) => {
    expect(parseRules(text).problems).toEqual([]);
  });

  it.each(["docs/integrations.md"])("the settings in %s wire every event, with a time-out", (document) => {
    const text = block(read(document), "settings: claude-code");
    const { ours, problems } = findWiring([{ scope: "user", path: "settings.json", text }]);
    expect(problems).toEqual([]);
    expect(ours.map(({ event }) => event).sort()).toEqual(
      [
        "PostCompact",
        "PostToolBatch",
        "PostToolUse",
        "PostToolUseFailure",
        "PreCompact",
        "SessionStart",
      ].sort(),
    );
    expect(ours.every(({ timeout }) => timeout !== undefined && timeout > 2)).toBe(true);
    expect(ours.filter(({ async }) => async).map(({ event }) => event)).toEqual(["PostToolBatch"]);
    const matcher = ours.find(({ event }) => event === "PostToolUse")?.matcher;
    const fires = (tool: string) => matcherMatches(matcher, tool);
    const routed = ["Bash", "Read", "Grep", "Glob", "WebFetch", "WebSearch", "mcp__github__list_issues"];
    expect(routed.filter((tool) => !fires(tool))).toEqual([]);
    expect(["mcp__isthmos__reveal", "ReadX", "Edit", "xBash"].filter(fires)).toEqual([]);
  });

  it("the starter rules are in shadow mode, as the README says", () => {
    expect(parseRules(read("rules.example.json")).settings.mode).toBe("shadow");
  });
});

describe("docs/contract.md", () => {
  const all = read("docs/contract.md").split(/^## /m).slice(1);
  const sections = all.filter((section) => /^C\d/.test(section));

  it("has C1 to C15, in order", () => {
    const names = sections.map((section) => /^C\d+/.exec(section)?.[0]);
    expect(names).toEqual(Array.from({ length: 15 }, (_, index) => `C${index + 1}`));
  });

  it.each(sections.map((section) => [/^C\d+/.exec(section)?.[0] ?? "", section]))(
    "%s names test files, each with a title that names it",
    (name, section) => {
      const files = [...section.matchAll(/`(test\/[^`]+\.test\.ts)`/g)].map(([, file = ""]) => file);
      expect(files.length).toBeGreaterThan(0);
      const silent = files.filter((file) => !existsSync(join(ROOT, file)) || !holdsTitle(read(file), name));
      expect(silent).toEqual([]);
    },
  );

  it("says of S1 to S18, in order, what isthmos does, each with test files", () => {
    const rows = all.flatMap((section) => section.split("\n")).filter((line) => /^\| S\d/.test(line));
    expect(rows.map((row) => /^\| (S\d+) \|/.exec(row)?.[1])).toEqual(
      Array.from({ length: 18 }, (_, index) => `S${index + 1}`),
    );
    for (const row of rows) {
      const files = [...row.matchAll(/`(test\/[^`]+\.test\.ts)`/g)].map(([, file = ""]) => file);
      expect(files.length, row).toBeGreaterThan(0);
      expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
      expect(row).toMatch(/\| (?:the same|\*\*otherwise\*\*:)/);
    }
  });

  it("names in the README the same guarantees", () => {
    for (let number = 1; number <= 15; number++) expect(README).toContain(`| C${number} |`);
  });
});

function holdsTitle(source: string, guarantee: string): boolean {
  return new RegExp(`["'\`]${guarantee}: `).test(source);
}

describe("releases", () => {
  it("the version of package.json has a section in the changelog", () => {
    const { version } = JSON.parse(read("package.json"));
    expect(read("CHANGELOG.md")).toMatch(
      new RegExp(`^## \\[${version.replaceAll(".", "\\.")}\\] - \\d{4}-\\d\\d-\\d\\d$`, "m"),
    );
  });
});

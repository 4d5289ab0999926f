// SPDX-License-Identifier: Apache-2.0
// The text of a rules file → settings and problems with their places. The value is checked at once; the tree
// that knows places and repeated keys is made only when someone asks for the problems.
import { utf8Length } from "../utf8.ts";
import { checkFile } from "./check.ts";
import { type Finding, showName } from "./check-fields.ts";
import { NO_RULES, type Problem, type Settings } from "./settings.ts";
import {
  findNode,
  findRepeatedKeys,
  type Path,
  positionIn,
  readSource,
  readTree,
  type TreeNode,
} from "./source.ts";

export type { Problem, Settings } from "./settings.ts";

/** A rules file that people write stays far below; the bound keeps the hook's start short. */
export const RULES_MAX_BYTES = 1024 * 1024;
/** More problems are counted only. */
const PROBLEMS_MAX = 100;

export interface ParsedRules {
  readonly settings: Settings;
  /** In the order of their places. Worked out when first asked for: the hook never asks. */
  readonly problems: readonly Problem[];
  /** False: the file as a whole cannot be used, and there are no rules. */
  readonly usable: boolean;
}

/**
 * Settings and problems of a rules file's text: JSON, comments, trailing commas and a byte order mark allowed.
 * Never throws.
 */
export function parseRules(text: string): ParsedRules {
  const json = text.startsWith("\ufeff") ? text.slice(1) : text;
  if (utf8Length(json) > RULES_MAX_BYTES) return refuse(`the file is larger than ${RULES_MAX_BYTES} bytes`);
  const source = readSource(json);
  if ("fault" in source) return refuse(source.fault, positionIn(json)(source.offset));
  const { settings, findings, usable } = checkFile(source.value);
  let problems: readonly Problem[] | undefined;
  return {
    settings,
    usable,
    get problems() {
      problems ??= placeFindings(json, findings);
      return problems;
    },
  };
}

/** What a file that cannot be used gives: no rules, and the reason. */
export function refuse(message: string, place = { line: 1, column: 1 }): ParsedRules {
  return { settings: NO_RULES, problems: [{ message, ...place, severity: "error" }], usable: false };
}

function placeFindings(text: string, findings: readonly Finding[]): Problem[] {
  const parsed = readTree(text);
  const position = positionIn(text);
  // Without a tree the text is nested too deeply for the slower parser: there are no places to tell.
  const tree = "tree" in parsed ? parsed.tree : undefined;
  const all = tree !== undefined ? [...findings, ...findRepeats(tree)] : findings;
  const hidden = all.slice(PROBLEMS_MAX);
  const [firstHidden] = hidden;
  const shown = all.slice(0, PROBLEMS_MAX);
  if (firstHidden !== undefined) {
    const severity = hidden.some((finding) => finding.severity === "error") ? "error" : "warning";
    const { path, at } = firstHidden;
    shown.push({ path, at, severity, message: `${hidden.length} more problems are not shown` });
  }
  const problems = shown.map(({ path, at, message, rule, severity }): Problem => {
    const place = position(tree === undefined ? 0 : findNode(tree, path, at).offset);
    return { message, ...place, ...(rule !== undefined && { rule }), severity };
  });
  return problems.sort((a, b) => a.line - b.line || a.column - b.column);
}

/** Keys that stand twice in the file's object, in a rule or in the store's object. */
function findRepeats(tree: TreeNode): Finding[] {
  if (tree.type === "array") return repeatsInRules(tree, []);
  const rules = findNode(tree, ["rules"], "value");
  const store = findNode(tree, ["store"], "value");
  return [
    ...repeatsIn(tree, []),
    // Where the key is missing, findNode answers the tree.
    ...(rules === tree ? [] : repeatsInRules(rules, ["rules"])),
    ...(store === tree ? [] : repeatsIn(store, ["store"])),
  ];
}

function repeatsInRules(rules: TreeNode, path: Path): Finding[] {
  if (rules.type !== "array") return [];
  return (rules.children ?? []).flatMap((rule, index) =>
    repeatsIn(rule, [...path, index]).map((finding) => ({
      ...finding,
      message: `rule ${index + 1}: ${finding.message}`,
      rule: index,
    })),
  );
}

function repeatsIn(object: TreeNode, path: Path): Finding[] {
  return findRepeatedKeys(object).map((name) => ({
    path: [...path, name],
    at: "key",
    message: `${showName(name)} stands here twice; the last one counts`,
    severity: "warning",
  }));
}

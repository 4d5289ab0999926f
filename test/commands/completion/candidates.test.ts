// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { findCandidates } from "../../../src/commands/completion/candidates.ts";
import type { CommandInfo, OptionInfo, ValueInfo } from "../../../src/commands/completion/tree.ts";

const value = (kind: ValueInfo["kind"], ...choices: string[]): ValueInfo => ({
  placeholder: "x",
  kind,
  choices,
});
const option = (name: string, of?: ValueInfo): OptionInfo => ({ name, description: name, value: of });
const command = (name: string, parts: Partial<CommandInfo> = {}): CommandInfo => ({
  name,
  description: name,
  options: [option("--help")],
  args: [],
  commands: [],
  ...parts,
});
const argument = (of: ValueInfo, variadic = false) => ({ ...of, description: "", required: true, variadic });

const TREE = command("isthmos", {
  commands: [
    command("init", {
      options: [
        option("--scope", value("choices", "user", "project", "local")),
        option("--since", value("choices")),
        option("--live"),
      ],
    }),
    command("filter", { options: [option("--tool", value("tools"))] }),
    command("rules", { commands: [command("check", { args: [argument(value("files"))] })] }),
    command("completion", { args: [argument(value("choices", "bash", "zsh"))] }),
    command("pack", {
      options: [option("--to", value("folders"))],
      args: [argument(value("choices", "a")), argument(value("choices", "b"), true)],
    }),
  ],
});

it.each<[words: string[], expected: string[] | "files" | "folders"]>([
  [[], ["init", "filter", "rules", "completion", "pack"]],
  [[""], ["init", "filter", "rules", "completion", "pack"]],
  [["i"], ["init"]],
  [["x"], []],
  [["-"], ["--help"]],
  [["init", ""], []],
  [
    ["init", "--"],
    ["--scope", "--since", "--live"],
  ],
  [
    ["init", "--s"],
    ["--scope", "--since"],
  ],
  [
    ["init", "-s"],
    ["-scope", "-since"],
  ],
  [
    ["init", "--scope", ""],
    ["user", "project", "local"],
  ],
  [["init", "-scope", "p"], ["project"]],
  [["init", "--scope=l"], ["local"]],
  [["init", "-scope=l"], ["local"]],
  [["init", "--since", ""], []],
  [["init", "--scope", "user", "--l"], ["--live"]],
  [["init", "--scope=user", "--l"], ["--live"]],
  [
    ["init", "--live", "--s"],
    ["--scope", "--since"],
  ],
  [["init", "--live=", ""], []],
  [["init", "--nope=x"], []],
  [
    ["filter", "--tool", ""],
    ["Bash", "Read"],
  ],
  [["filter", "--tool=R"], ["Read"]],
  [["rules", ""], ["check"]],
  [["rules", "check", ""], "files"],
  [["rules", "check", "a", ""], []],
  [["rules", "nope", ""], []],
  [["completion", "z"], ["zsh"]],
  [["pack", "--to", ""], "folders"],
  [["pack", "--to="], "folders"],
  [["pack", ""], ["a"]],
  [["pack", "a", ""], ["b"]],
  [["pack", "a", "b", ""], ["b"]],
  [["pack", "--", "--"], []],
  [["pack", "--", "-x", ""], ["b"]],
])("%j → %j", (words, expected) => {
  const found = findCandidates(TREE, words, () => ["Bash", "Read"]);
  const names = found.words.map((candidate) => candidate.value);
  expect(found.paths ?? names).toEqual(expected);
});

it("asks for tools only where one is wanted", () => {
  const refuse = () => {
    throw new Error("asked");
  };
  expect(() => findCandidates(TREE, ["init", "--scope", ""], refuse)).not.toThrow();
  expect(() => findCandidates(TREE, ["filter", "--tool", ""], refuse)).toThrow("asked");
});

it("says what stands before the candidates in their word", () => {
  expect(findCandidates(TREE, ["init", "--scope=l"], () => []).before).toBe("--scope=");
  expect(findCandidates(TREE, ["init", "--scope", "l"], () => []).before).toBe("");
});

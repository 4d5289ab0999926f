// SPDX-License-Identifier: Apache-2.0
// The rules file as `init` leaves it: a starter where there is none, and the mode. Everything else in a user's file
// stays as it stands.
import example from "../../rules.example.json" with { type: "json" };
import { parseRules } from "../core/rules/parse.ts";
import type { Mode } from "../core/rules/settings.ts";
import type { FileEdit } from "../hosts/installer.ts";
import { JsoncError, nodeAt, parseText, toValue } from "../jsonc/document.ts";
import { setAt, splitMark, withoutMark } from "../jsonc/edit.ts";

/** The edit of the rules file; without a mode it is only written where it is missing. */
export function editRules(path: string, mode: Mode | undefined): FileEdit {
  return {
    path,
    isShared: false,
    what: mode === undefined ? "rules" : `rules, mode ${mode}`,
    edit: (text) => {
      if (text === undefined || text.trim() === "") return starterRules(mode ?? "shadow");
      const { usable, problems, settings } = parseRules(text);
      if (!usable) {
        const [first] = problems;
        throw new JsoncError(`line ${first?.line ?? 1}: ${first?.message ?? "no rules file"}`);
      }
      const isSet = mode === undefined || (settings.mode === mode && writtenMode(text) === mode);
      return isSet ? text : withoutMark(text, (body) => setMode(body, mode));
    },
  };
}

/** The shipped example, without the schema's place: the schema does not lie beside it. */
export function starterRules(mode: Mode): string {
  return setAt("{}\n", [], { mode, rules: example.rules });
}

function writtenMode(text: string): unknown {
  const { body } = splitMark(text);
  return toValue(nodeAt(body, parseText(body), ["mode"]));
}

function setMode(body: string, mode: Mode): string {
  const root = parseText(body);
  if (root?.type !== "array") return setAt(body, ["mode"], mode);
  // A bare list has no place for a mode.
  const eol = /\r?\n/.exec(body)?.[0] ?? "\n";
  const end = root.offset + root.length;
  const list = body.slice(root.offset, end);
  return `${body.slice(0, root.offset)}{${eol}  "mode": ${JSON.stringify(mode)},${eol}  "rules": ${list}${eol}}${body.slice(end)}`;
}

// SPDX-License-Identifier: Apache-2.0
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readSettings } from "../../../src/commands/doctor/settings-files.ts";
import { checkWiring } from "../../../src/commands/doctor/wiring.ts";
import { type DoctorHome, makeDoctorHome } from "../../support/doctor-home.ts";

let at: DoctorHome;
beforeEach(() => {
  at = makeDoctorHome();
});
afterEach(() => at.remove());

const HOOK = { type: "command", command: "isthmos hook" };

/** What is broken with these settings of an administrator. */
function broken(managed: string | object): string[] {
  const path = at.put("managed.json", managed);
  const facts = at.facts();
  const wired = readSettings(facts.env, [path, join(at.home, "none.json")]);
  return checkWiring({ ...facts, wired }).flatMap(({ level, message }) =>
    level === "broken" ? [message] : [],
  );
}

it.each<[string, string | object, string[]]>([
  ["nothing", {}, []],
  ["all hooks off", { disableAllHooks: true }, ["disableAllHooks in ~/managed.json turns every hook off"]],
  [
    "only its own hooks",
    { allowManagedHooksOnly: true },
    ["allowManagedHooksOnly in ~/managed.json turns off every hook that is not the administrator's"],
  ],
])("an administrator's settings say: %s", (_, managed, expected) => {
  at.wire(HOOK, ["PostToolUse", "PostToolBatch", "SessionStart"]);
  expect(broken(managed)).toEqual(expected);
});

it("hooks of an administrator count, and may be the only ones", () => {
  const hooks = { PostToolUse: [{ hooks: [HOOK] }] };
  expect(broken({ allowManagedHooksOnly: true, hooks })).toEqual([]);
});

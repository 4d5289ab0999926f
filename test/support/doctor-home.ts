// SPDX-License-Identifier: Apache-2.0
// A home with programs of its own, for what `doctor` runs: shell scripts that answer rightly or wrongly.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Facts, gatherFacts } from "../../src/commands/doctor/facts.ts";
import { readEnv } from "../../src/env.ts";

export const NOW = Date.parse("2026-11-30T12:00:00Z");

/** What a hook that works prints for the sample. */
export const ANSWER = JSON.stringify({
  hookSpecificOutput: {
    hookEventName: "PostToolUse",
    updatedToolOutput: {
      stdout: "sample line 1\n[isthmos: 380 of 400 lines truncated, lines 16-395]",
      ...{ stderr: "", interrupted: false, isImage: false, noOutputExpected: false },
    },
  },
});

/** The body of a script that works, up to its answer. */
export const BEGIN = `if [ "$1" = version ]; then echo 0.0.0-dev; exit; fi
cat >/dev/null
[ -z "$ISTHMOS_DISABLE" ] || exit 0
`;
/** And the answer. */
export const ANSWERS = `cat <<'END'\n${ANSWER}\nEND\n`;

export interface DoctorHome {
  readonly home: string;
  readonly project: string;
  /** Writes a file below the home; answers its path. */
  put(path: string, content: string | object, mode?: number): string;
  /** Writes settings with one hook on each event. */
  wire(hook: object, events?: readonly string[], more?: object): void;
  facts(variables?: Record<string, string>): Facts;
  remove(): void;
}

export function makeDoctorHome(): DoctorHome {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "isthmos-doctors-home-")));
  const project = join(home, "project");
  mkdirSync(project);
  const put = (path: string, content: string | object, mode = 0o600) => {
    const file = join(home, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content), { mode });
    return file;
  };
  return {
    ...{ home, project, put },
    wire(hook, events = ["PostToolUse"], more = {}) {
      const hooks = Object.fromEntries(events.map((event) => [event, [{ hooks: [hook] }]]));
      put(".claude/settings.json", { hooks, ...more });
    },
    facts(variables = {}) {
      const env = readEnv(
        { HOME: home, PATH: "/usr/bin:/bin", ...variables },
        () => home,
        () => project,
      );
      return gatherFacts(env, NOW);
    },
    remove: () => rmSync(home, { recursive: true }),
  };
}

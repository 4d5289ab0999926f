// SPDX-License-Identifier: Apache-2.0
// Real programs, run as the client runs them.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lookAround } from "../../../src/commands/doctor/reality.ts";
import { checkTrial } from "../../../src/commands/doctor/trial.ts";
import { ANSWER, ANSWERS, BEGIN, type DoctorHome, makeDoctorHome } from "../../support/doctor-home.ts";

let at: DoctorHome;
beforeEach(() => {
  at = makeDoctorHome();
});
afterEach(() => at.remove());

const program = (body: string, path = "bin/isthmos") => at.put(path, `#!/bin/sh\n${body}`, 0o755);

async function tried(variables: Record<string, string> = {}) {
  const facts = at.facts(variables);
  const findings = checkTrial(facts, await lookAround(facts));
  return findings.map(({ level, message, hint }) => [level, message, hint] as const);
}

const COMMAND = "$HOME/bin/isthmos hook";
const WORKS = "answers rightly in <time>, of which <time> to start the program";

describe("what a command prints", () => {
  it.each<[string, string, string, string]>([
    ["what is right", ANSWERS, "ok", WORKS],
    ["nothing", "", "broken", "answered nothing for a result that must be cut"],
    [
      "nothing, with a reason",
      "echo 'isthmos: error: no' >&2",
      "broken",
      "answered nothing for a result that must be cut, and said: isthmos: error: no",
    ],
    [
      "nothing, and fails",
      "echo no >&2; exit 3",
      "broken",
      "ended with exit code 3 and no answer, and said: no",
    ],
    [
      "something before",
      `echo welcome\n${ANSWERS}`,
      "broken",
      "prints something around its answer, so the client uses none of it",
    ],
    [
      "something after",
      `${ANSWERS}echo bye`,
      "broken",
      "prints something around its answer, so the client uses none of it",
    ],
    ["two answers", `${ANSWERS}${ANSWERS}`, "broken", "answers what is not JSON"],
    ["words", "echo hello", "broken", "answers what is not JSON"],
    ["another object", "echo '{}'", "broken", "answers in a form that the client refuses"],
    [
      "a string for the object",
      `echo '{"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":"x"}}'`,
      "broken",
      "answers in a form that the client refuses",
    ],
    [
      "no event",
      `cat <<'E'\n${ANSWER.replace('"hookEventName":"PostToolUse",', "")}\nE`,
      "broken",
      "answers in a form that the client refuses",
    ],
    [
      "a field less",
      `cat <<'E'\n${ANSWER.replace('"isImage":false,', "")}\nE`,
      "broken",
      "answers in a form that the client refuses",
    ],
  ])("%s", async (_, body, level, words) => {
    program(BEGIN + body);
    at.wire({ type: "command", command: COMMAND });
    const [[found, message, hint] = [], ...rest] = await tried();
    expect([found, message?.replace(/\d+(?:\.\d)? m?s/g, "<time>")]).toEqual([
      level,
      `${COMMAND} (~/.claude/settings.json) ${words}`,
    ]);
    expect(hint === undefined).toBe(level === "ok");
    expect(rest).toEqual([]);
  });

  it("the result as it came", async () => {
    program(`${BEGIN}cat </dev/null
printf '{"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":{"stdout":"'
seq -f 'sample line %g' 1 399 | sed 's/$/\\\\n/' | tr -d '\\n'
printf 'sample line 400","stderr":"","interrupted":false,"isImage":false,"noOutputExpected":false}}}'`);
    at.wire({ type: "command", command: COMMAND });
    expect(await tried()).toMatchObject(
      [["broken", expect.stringContaining("answers the result as it was"), {}]].map(([a, b]) => [
        a,
        b,
        expect.any(String),
      ]),
    );
  });
});

describe("how it ends", () => {
  it("within the hook's own timeout, or not", async () => {
    program(`${BEGIN}sleep 60`);
    at.wire({ type: "command", command: COMMAND, timeout: 0.5 });
    const [[level, message] = []] = await tried();
    expect([level, message]).toEqual(["broken", expect.stringMatching(/did not answer within \d+ ms$/)]);
  });

  it.each([
    ["exit 1", "warning", "answers, but with exit code 1"],
    ["echo careful >&2", "warning", "answers, and says on stderr: careful"],
    [
      "sleep 30 &",
      "broken",
      "leaves something running that keeps its output open: the client refuses such an answer",
    ],
  ])("rightly, but %s", async (more, level, words) => {
    program(`${BEGIN}${ANSWERS}${more}`);
    at.wire({ type: "command", command: COMMAND });
    const [first, second] = await tried();
    expect(first?.[0]).toBe("ok");
    expect(second).toMatchObject([
      level,
      expect.stringContaining(words),
      level === "warning" && more.startsWith("echo") ? undefined : expect.any(String),
    ]);
  });
});

describe("how it is run", () => {
  it.each<[string, object]>([
    ["by a shell, in the working folder", { command: '[ -d ../bin ] && "$HOME"/bin/isthmos hook' }],
    ["by a shell, with the project's folder", { command: '"$CLAUDE_PROJECT_DIR"/../bin/isthmos hook' }],
  ])("%s", async (_, hook) => {
    program(BEGIN + ANSWERS);
    at.wire({ type: "command", ...hook });
    expect((await tried()).map(([level]) => level)).toEqual(["ok"]);
  });

  it("without a shell where there are arguments", async () => {
    const file = program(`[ "$1 $2" = "hook " ] || exit 9\n${BEGIN}${ANSWERS}`, "my bin/isthmos");
    at.wire({ type: "command", command: file, args: ["hook"] });
    expect((await tried()).map(([level]) => level)).toEqual(["ok"]);
  });

  it("each command once, and only the one on results timed", async () => {
    program(`${BEGIN}echo run >>"$HOME/runs"\n${ANSWERS}`);
    at.put(".claude/settings.json", {
      hooks: {
        SessionStart: [{ hooks: [{ type: "command", command: "~/bin/isthmos hook" }] }],
        PostToolUse: [{ hooks: [{ type: "command", command: COMMAND }] }],
        PostToolBatch: [{ hooks: [{ type: "command", command: COMMAND }] }],
      },
    });
    const messages = (await tried()).map(([, message]) => message);
    expect(messages).toEqual([
      expect.stringMatching(/^\$HOME.* answers rightly in /),
      expect.stringMatching(/^~.* answers rightly$/),
    ]);
    expect(readFileSync(join(at.home, "runs"), "utf8")).toBe("run\n".repeat(4));
  });

  it("C13: in a folder to throw away, whatever this shell has set", async () => {
    program(
      `${BEGIN}env >"$HOME/seen"\nmkdir -p "$ISTHMOS_STATE_DIR/store"; touch "$ISTHMOS_KEY_FILE"\n${ANSWERS}`,
    );
    at.wire({ type: "command", command: COMMAND });
    const before = readdirSync(at.home).sort();
    const levels = await tried({
      ISTHMOS_STATE_DIR: join(at.home, "state"),
      ISTHMOS_SHADOW: "1",
      ISTHMOS_STORE_TTL_HOURS: "1",
    });
    expect(levels.map(([level]) => level)).toEqual(["ok"]);
    expect(readdirSync(at.home).sort()).toEqual([...before, "seen"].sort());
    const seen = readFileSync(join(at.home, "seen"), "utf8");
    const own = [...seen.matchAll(/^(ISTHMOS_\w+)=(.*)$/gm)];
    const names = own.map(([, name]) => name).sort();
    expect(names).toEqual(["ISTHMOS_KEY_FILE", "ISTHMOS_RULES", "ISTHMOS_STATE_DIR"]);
    for (const [, , path = ""] of own) {
      expect(path.startsWith(join(tmpdir(), "isthmos-doctor-"))).toBe(true);
      expect(existsSync(path)).toBe(false);
    }
  });

  it.each([
    [
      "ISTHMOS_STATE_DIR=/x",
      "note",
      "was not run: it sets ISTHMOS_STATE_DIR itself, so a trial would write there",
    ],
    ["ISTHMOS_SHADOW=1", "note", "answered nothing, as ISTHMOS_SHADOW may have it"],
  ])("a command line with %s", async (variable, level, words) => {
    program(`${BEGIN}echo run >>"$HOME/runs"; [ -n "$ISTHMOS_SHADOW" ] || exit 5`);
    at.wire({ type: "command", command: `${variable} ${COMMAND}` });
    expect(await tried()).toEqual([
      [level, `${variable} ${COMMAND} (~/.claude/settings.json) ${words}`, undefined],
    ]);
    expect(existsSync(join(at.home, "runs"))).toBe(variable.includes("SHADOW"));
  });

  it("not where the program is missing, which is said of the hook", async () => {
    at.wire({ type: "command", command: COMMAND });
    expect(await tried()).toEqual([]);
  });

  it("Node.js with a script of ours is asked for its version too", async () => {
    const script = at.put("isthmos/dist/bin.cjs", 'if (process.argv[2] === "version") console.log("0.4.0");');
    at.wire({ type: "command", command: process.execPath, args: [script, "hook"] });
    expect((await tried()).map(([level, message]) => `${level} ${message}`)).toEqual([
      expect.stringMatching(/^broken .* answered nothing for a result that must be cut$/),
      expect.stringMatching(/^warning the wired program .*bin\.cjs hook is version 0\.4\.0, and this one is/),
    ]);
  });

  it("another version is named", async () => {
    program(`if [ "$1" = version ]; then echo 0.4.0; exit; fi\n${BEGIN}${ANSWERS}`);
    at.wire({ type: "command", command: COMMAND });
    expect((await tried())[1]).toEqual([
      "warning",
      "the wired program ~/bin/isthmos is version 0.4.0, and this one is 0.0.0-dev",
      "run isthmos init with the one that you want",
    ]);
  });
});

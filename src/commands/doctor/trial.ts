// SPDX-License-Identifier: Apache-2.0
// What the trial of each wired command showed, in sentences with the next step.
import { cleanName } from "../../report.ts";
import { VERSION } from "../../version.ts";
import type { Facts } from "./facts.ts";
import type { Finding, Level } from "./finding.ts";
import type { Reality } from "./reality.ts";
import { type CommandTrial, findProgram, realPath } from "./try-command.ts";

const PRINTS = "nothing but the answer may come on stdout: look for an echo in a wrapper or a shell profile";
const WRONG_PROGRAM = "run isthmos init to wire the right program";

/** What came back from each wired command. */
export function checkTrial(facts: Facts, { commands }: Reality): Finding[] {
  return commands.flatMap((trial) => [...describeTrial(trial, facts), ...describeVersion(trial, facts)]);
}

function describeTrial(trial: CommandTrial, { show }: Facts): Finding[] {
  const { hook, verdict, sets, ran } = trial;
  const check = "trial";
  const command = `${cleanName(hook.target)} (${show(hook.path)})`;
  const say = (level: Level, words: string, hint?: string): Finding[] => [
    { check, level, message: `${command} ${words}`, ...(hint !== undefined && { hint }) },
  ];
  if (verdict === "skipped") {
    const why =
      sets.length > 0
        ? `it sets ${sets.join(" and ")} itself, so a trial would write there`
        : "no trial here";
    return say("note", `was not run: ${why}`);
  }
  const said = firstLine(ran?.stderr ?? "");
  const voice = said === "" ? "" : `, and said: ${said}`;
  const hint = said === "" ? WRONG_PROGRAM : "put right what it said";
  switch (verdict) {
    case "timeout":
      return say("broken", `did not answer within ${formatMs(ran?.ms ?? 0)}${voice}`, WRONG_PROGRAM);
    case "failed":
      return say("broken", `could not be run (${ran?.failure ?? "unknown error"})${voice}`, WRONG_PROGRAM);
    case "around_json":
      return say("broken", "prints something around its answer, so the client uses none of it", PRINTS);
    case "no_json":
      return say("broken", `answers what is not JSON${voice}`, `it may be another program: ${WRONG_PROGRAM}`);
    case "wrong_shape":
      return say(
        "broken",
        "answers in a form that the client refuses",
        `it may be another version: ${WRONG_PROGRAM}`,
      );
    case "unchanged":
      return say("broken", "answers the result as it was", `it may be another program: ${WRONG_PROGRAM}`);
    case "nothing":
      return describeSilence(trial, say, voice, hint);
    case "right":
      return describeAnswer(trial, say, said);
  }
}

type Say = (level: Level, words: string, hint?: string) => Finding[];

function describeSilence({ sets, ran }: CommandTrial, say: Say, voice: string, hint: string): Finding[] {
  const code = ran?.exitCode ?? 0;
  if (code !== 0) return say("broken", `ended with exit code ${code} and no answer${voice}`, hint);
  if (sets.length > 0) return say("note", `answered nothing, as ${sets.join(" and ")} may have it`);
  return say("broken", `answered nothing for a result that must be cut${voice}`, hint);
}

function describeAnswer({ ran, ms, floorMs }: CommandTrial, say: Say, said: string): Finding[] {
  // What starting takes can come out above the whole by chance.
  const times =
    ms === undefined || floorMs === undefined
      ? ""
      : ` in ${formatMs(ms)}, of which ${formatMs(Math.min(floorMs, ms))} to start the program`;
  const findings = say("ok", `answers rightly${times}`);
  const code = ran?.exitCode ?? 0;
  if (code !== 0)
    findings.push(...say("warning", `answers, but with exit code ${code}`, "let it end with 0"));
  if (ran?.isHeld) {
    const words = "leaves something running that keeps its output open: the client refuses such an answer";
    findings.push(...say("broken", words, "let what it starts in the background close stdout and stderr"));
  }
  if (said !== "") findings.push(...say("warning", `answers, and says on stderr: ${said}`));
  return findings;
}

/** Another version than the one that looks: what it does may differ from what the documents of this one say. */
function describeVersion({ hook, version }: CommandTrial, { env, show }: Facts): Finding[] {
  if (version === undefined || version === VERSION) return [];
  const file = findProgram(hook, env);
  const where = file === undefined ? cleanName(hook.target) : cleanName(show(realPath(file)));
  const message = `the wired program ${where} is version ${cleanName(version)}, and this one is ${VERSION}`;
  return [{ check: "trial", level: "warning", message, hint: "run isthmos init with the one that you want" }];
}

/** A duration for people; below 10 ms with a tenth. */
export function formatMs(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

/** The first line that says something, made safe and short. */
export function firstLine(text: string): string {
  const line = text.split("\n").find((one) => one.trim() !== "") ?? "";
  return cleanName(line.trim(), 200);
}

// SPDX-License-Identifier: Apache-2.0
// The tool `compress`: a hook event as fields in, exactly what `isthmos hook` would print out. Like the hook it fails
// open: whatever happens, the answer is an empty text and the reason is on record (C1).
import { answerEvent } from "../answer.ts";
import type { Env } from "../env.ts";
import { countFailures, failOpen, messageOf } from "../fail-open.ts";
import { monotonicMs } from "../io.ts";
import { ChildError, type Children } from "./child.ts";
import type { Counters } from "./counters.ts";
import { buildEvent, type Fields } from "./event.ts";

/** Above this, fields go to a process of their own. */
export const CHILD_MIN_BYTES = 4 * 1024 * 1024;

/** The answer's text, empty where nothing is to be changed. Never throws or rejects. */
export type Compress = (fields: Fields) => string | Promise<string>;

/** `children` gets what is above CHILD_MIN_BYTES. */
export function createCompress(env: Env, children: Children, counters: Counters): Compress {
  const failed = (error: unknown): string => {
    counters.decided("failed");
    const isChild = error instanceof ChildError;
    failOpen(env.stateDir.value, {
      code: isChild ? (error.timedOut ? "budget" : "child_failed") : "internal",
      reason: isChild
        ? `the process for a large event gave no answer (${error.message})`
        : `the event could not be treated (${messageOf(error)})`,
      hint: "run isthmos doctor",
    });
    return "";
  };
  const answered = (answer: Uint8Array | undefined, hasFailed = false): string => {
    const isEmpty = answer === undefined || answer.length === 0;
    counters.decided(isEmpty ? (hasFailed ? "failed" : "unchanged") : "changed");
    return isEmpty ? "" : Buffer.from(answer.buffer, answer.byteOffset, answer.length).toString();
  };

  return (fields) => {
    try {
      const startedAt = monotonicMs();
      if (env.disabled.value) return answered(undefined);
      const size = [...fields.values()].reduce((sum, literal) => sum + literal.length, 0);
      if (size > CHILD_MIN_BYTES) {
        counters.childCalled();
        return children.run(size, () => buildEvent(fields)).then((answer) => answered(answer), failed);
      }
      const failures = countFailures();
      const answer = answerEvent(buildEvent(fields), env, startedAt);
      return answered(answer, countFailures() > failures);
    } catch (error) {
      return failed(error);
    }
  };
}

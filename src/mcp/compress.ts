// SPDX-License-Identifier: Apache-2.0
// The tool `compress`: a hook event as fields in, exactly what `isthmos hook` would print out. Like the hook it fails
// open: whatever happens, the answer is an empty text and the reason is on record (C1).
import { answerEvent } from "../answer.ts";
import type { Env } from "../env.ts";
import { countFailures, failOpen, messageOf } from "../fail-open.ts";
import { monotonicMs } from "../io.ts";
import { type Child, ChildError, type Children } from "./child.ts";
import type { Counters, Decision } from "./counters.ts";
import { buildEvent, type Fields } from "./event.ts";

/** Answers of the tool: texts, empty where nothing is to be changed. Nothing throws or rejects. */
export interface Compress {
  /** Here and now. */
  answer(fields: Fields): string;
  /** In a process of its own, for the bytes of a whole call. */
  answerLarge(message: Uint8Array): Promise<string>;
  /** The process for a call that still comes; undefined where none may start now, or none is needed. */
  open(): Child | undefined;
  /** The answer once the call has come. */
  answerOpened(child: Child): Promise<string>;
}

export function createCompress(env: Env, children: Children, counters: Counters): Compress {
  const decide = (answer: Uint8Array | undefined, otherwise: Decision = "unchanged"): string => {
    const isEmpty = answer === undefined || answer.length === 0;
    counters.decided(isEmpty ? otherwise : "changed");
    return isEmpty ? "" : Buffer.from(answer.buffer, answer.byteOffset, answer.length).toString();
  };
  const fail = (error: unknown): string => {
    const isChild = error instanceof ChildError;
    failOpen(env.stateDir.value, {
      code: isChild ? (error.timedOut ? "budget" : "child_failed") : "internal",
      reason: isChild
        ? `the process for a large event gave no answer (${error.message})`
        : `the event could not be treated (${messageOf(error)})`,
      hint: "run isthmos doctor",
    });
    return decide(undefined, "failed");
  };
  const settle = (answer: Promise<Uint8Array>): Promise<string> => {
    counters.childCalled();
    return answer.then((bytes) => decide(bytes), fail);
  };

  return {
    answer: (fields) => {
      if (env.disabled.value) return decide(undefined);
      try {
        const startedAt = monotonicMs();
        const failures = countFailures();
        const answer = answerEvent(buildEvent(fields), env, startedAt);
        return decide(answer, countFailures() > failures ? "failed" : "unchanged");
      } catch (error) {
        return fail(error);
      }
    },
    answerLarge: async (message) => (env.disabled.value ? decide(undefined) : settle(children.run(message))),
    open: () => (env.disabled.value ? undefined : children.open()),
    answerOpened: (child) => settle(child.end()),
  };
}

// SPDX-License-Identifier: Apache-2.0
import { claudeCode } from "./claude-code/hook.ts";
import { hermes } from "./hermes/hook.ts";
import type { Host, HostEvent } from "./host.ts";
import { openCode } from "./opencode/hook.ts";

/** Every host adapter, one line each; the first that knows an event has it. */
export const hosts: readonly Host[] = [openCode, hermes, claudeCode];

/** An event and the host that sent it; only that host's `encode` understands the event's call. */
export interface DecodedEvent {
  readonly host: Host;
  readonly event: HostEvent;
}

/** The event in `input` and its host, or undefined if no host knows it. Never throws. */
export function decodeEvent(input: Uint8Array): DecodedEvent | undefined {
  for (const host of hosts) {
    const event = host.decode(input);
    if (event !== undefined) return { host, event };
  }
  return undefined;
}

// A pipe has no host; our own tools have the names there that rules know.
export { isOwnTool } from "./own-call.ts";

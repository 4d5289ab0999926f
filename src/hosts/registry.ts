// SPDX-License-Identifier: Apache-2.0
import { claudeCode } from "./claude-code/hook.ts";
import type { Host, HostEvent } from "./host.ts";

/** Every host adapter, one line each; the first that knows an event has it. */
export const hosts: readonly Host[] = [claudeCode];

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

// A pipe has no host; the names of our own tools are those of the one host that names them so far.
export { isOwnTool } from "./claude-code/own.ts";

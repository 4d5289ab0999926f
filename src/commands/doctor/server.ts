// SPDX-License-Identifier: Apache-2.0
// The resident route: is the server registered that the hooks ask, does it answer, and which servers run now?
import { formatBytes, formatCount } from "../../measure/units.ts";
import { cleanName } from "../../report.ts";
import { listLost } from "../../servers.ts";
import { VERSION } from "../../version.ts";
import type { Facts } from "./facts.ts";
import type { Add, Finding } from "./finding.ts";
import type { Reality } from "./reality.ts";
import { addRegistration } from "./registration.ts";
import { firstLine, formatMs } from "./trial.ts";
import type { ServerTrial } from "./try-server.ts";

/** Everything about the MCP server. */
export function checkServer(facts: Facts, reality: Reality): Finding[] {
  const findings: Finding[] = [];
  const add: Add = (level, message, hint) =>
    findings.push({ check: "server", level, message, ...(hint !== undefined && { hint }) });
  addRegistration(facts, reality.registered, add);
  if (reality.server !== undefined) {
    addTrial(reality.server, facts, add);
    addVisibility(reality.server, facts, reality, add);
  }
  for (const pid of listLost(facts.env.stateDir.value)) {
    add(
      "warning",
      `process ${pid} ended without its end: killed, or out of memory; its results in hand stayed whole`,
    );
  }
  for (const { pid, version, calls, reveals, rss_bytes } of reality.running) {
    const asked = Object.values(reveals).reduce((sum, count) => sum + count, 0);
    const counts = `${formatCount(calls, "call")}, ${formatCount(asked, "reveal")}, ${formatBytes(rss_bytes)} resident`;
    const which = version === VERSION || version === "" ? "" : `, version ${cleanName(version)}`;
    add("ok", `process ${pid} runs${which}: ${counts}`);
  }
  return findings;
}

function addTrial(trial: ServerTrial, { show }: Facts, add: Add): void {
  const { entry, verdict, step, reason = "", stderr = "", ms, version, hasEnded } = trial;
  const words = [entry.command, ...entry.args].join(" ");
  const name = `${cleanName(words)} (${show(entry.path)})`;
  const voice = firstLine(stderr) === "" ? "" : `, and said: ${firstLine(stderr)}`;
  const again = "run isthmos init, which registers the right program";
  switch (verdict) {
    case "right":
      add("ok", `${name} answers rightly in ${formatMs(ms ?? 0)}`);
      break;
    case "not_started":
      add("broken", `${name} could not be started (${reason})`, again);
      return;
    case "timeout":
      add("broken", `${name} does not answer ${step} within ${formatMs(ms ?? 0)}${voice}`, again);
      break;
    case "ended":
      add("broken", `${name} ended at ${step}${voice}`, again);
      return;
    case "no_message":
      add("broken", `${name} prints what is no message of the protocol${voice}`, again);
      break;
    case "refused":
      add("broken", `${name} refuses ${step}: ${cleanName(reason, 200)}`, again);
      break;
    case "no_tool":
      add("broken", `${name} has no tool that the hooks ask: it is another program or version`, again);
      break;
    case "nothing":
      add(
        "broken",
        `${name} answered nothing for a result that must be cut${voice}`,
        "run isthmos init, which fills in what hooks hand over",
      );
      break;
    default:
      add(
        "broken",
        `${name} answers in a form that the client does not use (${verdict.replaceAll("_", " ")})`,
        again,
      );
  }
  if (hasEnded === false) {
    add("warning", `${name} did not end with its input: it would outlive the client`, "update isthmos");
  }
  if (version !== undefined && version !== VERSION) {
    add(
      "warning",
      `the registered server is version ${cleanName(version)}, and this one is ${VERSION}`,
      "run isthmos init with the one that you want",
    );
  }
}

/** The tool for hooks is nothing for the model: newer clients hide it by what it says, older ones by a rule. */
function addVisibility(
  { tools, isHidden }: ServerTrial,
  { wired }: Facts,
  { client }: Reality,
  add: Add,
): void {
  if (!tools?.includes("compress") || wired.denied.has("mcp__isthmos__compress")) return;
  const [major = 0, minor = 0, patch = 0] = client?.version ?? [];
  const honours =
    isHidden && (major > 2 || (major === 2 && (minor > 1 || (minor === 1 && patch >= HIDES_SINCE))));
  if (honours) return;
  const message =
    'the model may see the tool compress, which is for hooks only: no "mcp__isthmos__compress" in permissions.deny';
  add("note", message, "run isthmos init, which adds it");
}

/** Of 2.1: the first client seen to honour a tool's own word; 2.1.197 does not. */
const HIDES_SINCE = 332;

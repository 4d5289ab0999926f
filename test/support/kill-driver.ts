// SPDX-License-Identifier: Apache-2.0
// Runs a scenario in this process and kills it just before its k-th file operation: node kill-driver.ts NAME DIR K.
// Exits with 0 if the run ended before.
import { setFaultPoint } from "../../src/files.ts";
import { isScenarioName, SCENARIOS } from "./store-scenarios.ts";

const [name = "", dir = "", k = ""] = process.argv.slice(2);
if (!isScenarioName(name)) throw new Error(`no scenario ${name}`);
setFaultPoint((_, count) => {
  if (count === Number(k)) process.kill(process.pid, "SIGKILL");
});
SCENARIOS[name].run(dir);

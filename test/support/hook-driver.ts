// SPDX-License-Identifier: Apache-2.0
// The command line in a process that dies just before its k-th file operation: hook-driver K COMMAND [ARGS].
// Exits as usual if the run ended before.
import { homedir } from "node:os";
import { filter } from "../../src/commands/filter.ts";
import { hook } from "../../src/commands/hook.ts";
import { readEnv } from "../../src/env.ts";
import { setFaultPoint } from "../../src/files.ts";

const [k = "", command = "", ...args] = process.argv.slice(2);
setFaultPoint((_, count) => {
  if (count === Number(k)) process.kill(process.pid, "SIGKILL");
});
const env = readEnv(process.env, homedir);
if (command === "filter") filter(args, env);
else hook(args, env);

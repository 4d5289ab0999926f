// SPDX-License-Identifier: Apache-2.0
// Entry. `hook` and `filter` run on every tool call, so they go straight to their command, synchronously and
// without the command tree; everything else loads the program.
import { homedir } from "node:os";
import { filter } from "./commands/filter.ts";
import { hook } from "./commands/hook.ts";
import { readEnv } from "./env.ts";
import { processIo, stdinIsTerminal } from "./io.ts";

const [command = stdinIsTerminal() ? "help" : "hook", ...args] = process.argv.slice(2);
const asksHelp = args.includes("--help") || args.includes("-h");

if (command === "hook" && !asksHelp) hook(args, readEnv(process.env, homedir));
else if (command === "filter" && !asksHelp) filter(args, readEnv(process.env, homedir));
else {
  const argv = process.argv.length > 2 ? process.argv.slice(2) : ["--help"];
  import("./program.ts")
    .then(({ runProgram }) => runProgram(argv, readEnv(process.env, homedir), processIo()))
    .then((code) => {
      process.exitCode = code;
    });
}

// SPDX-License-Identifier: Apache-2.0
// Entry. `hook` and `filter` run on every tool call, so they go straight to their command, synchronously and
// without the command tree; `mcp` stays in memory and does without it, too; everything else loads the program.
import { filter } from "./commands/filter.ts";
import { hook } from "./commands/hook.ts";
import { readEnv } from "./env.ts";
import { processIo, stdinIsTerminal } from "./io.ts";

const [command = stdinIsTerminal() ? "help" : "hook", ...args] = process.argv.slice(2);
// As the system has it: the variable HOME is asked first, and this only where that is of no use.
const homedir = () => process.getBuiltinModule("node:os").userInfo().homedir;
const asksHelp = args.includes("--help") || args.includes("-h");

// Ended at once: nothing is left to wait for, and an inherited NODE_CHANNEL_FD would make a slow end a failed one.
if (command === "hook" && !asksHelp) {
  hook(args, readEnv(process.env, homedir));
  process.exit(0);
} else if (command === "filter" && !asksHelp) {
  filter(args, readEnv(process.env, homedir));
  process.exit(0);
} else if (command === "mcp" && args.length === 0) {
  import("./commands/mcp.ts").then(({ run }) => run(readEnv(process.env, homedir)));
} else {
  const argv = process.argv.length > 2 ? process.argv.slice(2) : ["--help"];
  import("./program.ts")
    .then(({ runProgram }) => runProgram(argv, readEnv(process.env, homedir), processIo()))
    .then((code) => {
      process.exitCode = code;
    });
}

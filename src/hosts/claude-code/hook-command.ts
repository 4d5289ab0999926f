// SPDX-License-Identifier: Apache-2.0
// Does a hook's command run `isthmos hook`? Read as a shell would split it, one pass, without expanding anything.

/** The program, also under the name that a release's file has. */
const PROGRAM = /^isthmos(?:-(?:linux|darwin|macos|win)[\w.-]*)?$/;
const NODE = /^node(?:js)?$/;
/** A script in a folder of the package, or the package's command. */
const SCRIPT = /(?:^|[\\/])isthmos(?:[\\/].*)?$/;
/** What people put around a command so that it never fails. */
const HARMLESS = /^(?:|true|:|exit|test|\[|\d+)$/;
/** Words that run the command after them, or open a group of them. */
const LAUNCHERS: ReadonlySet<string> = new Set([
  "!",
  "{",
  "command",
  "env",
  "exec",
  "nice",
  "npx",
  "then",
  "timeout",
]);
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*=/;
const SHELL = /^(?:ba|da|k|z)?sh$/;

/** True if a shell command line runs isthmos as a hook, alone or among other commands. */
export function runsHook(commandLine: string): boolean {
  return findHookProgram(commandLine) !== undefined;
}

/** The program (isthmos, or a shell that runs it) of a command line's first hook call: as written, quotes taken off. */
export function findHookProgram(commandLine: string): string | undefined {
  for (const words of splitCommands(commandLine)) {
    const [program, ...args] = skipLaunchers(words);
    if (program !== undefined && isHookCall(program, args)) return program;
  }
  return undefined;
}

/** True if a program with these arguments is isthmos as a hook (`isthmos` alone or `isthmos hook`), or a shell that runs it. */
export function isHookCall(program: string, args: readonly string[]): boolean {
  const [first, second] = args;
  if (SHELL.test(baseName(program))) {
    return first !== undefined && /^-l?c$/.test(first) && runsHook(second ?? "");
  }
  if (!isIsthmos(program, args)) return false;
  const command = PROGRAM.test(baseName(program)) ? first : second;
  // A redirection is no argument of the program.
  return command === undefined || command === "hook" || /^\d?[<>]/.test(command);
}

/** True if a program with these arguments is isthmos, or Node.js with its script. */
export function isIsthmos(program: string, args: readonly string[]): boolean {
  const base = baseName(program);
  return PROGRAM.test(base) || (NODE.test(base) && SCRIPT.test(args[0] ?? ""));
}

/** True if a shell command line runs isthmos as a hook and nothing else that matters. */
export function runsOnlyHook(commandLine: string): boolean {
  const commands = splitCommands(commandLine).map(skipLaunchers);
  const others = commands.filter(
    ([program = "", ...args]) => !HARMLESS.test(program) && !isPlain(program, args),
  );
  return others.length === 0 && runsHook(commandLine);
}

function isPlain(program: string, args: readonly string[]): boolean {
  return !SHELL.test(baseName(program)) && isHookCall(program, args);
}

function baseName(program: string): string {
  const name = program.slice(Math.max(program.lastIndexOf("/"), program.lastIndexOf("\\")) + 1);
  return name.replace(/\.exe$/i, "");
}

function skipLaunchers(words: readonly string[]): readonly string[] {
  let at = 0;
  for (let launched = false; at < words.length; at++) {
    const word = words[at]!;
    if (LAUNCHERS.has(word)) launched = true;
    // A launcher's own options and numbers: `nice -n 5`, `timeout 10`.
    else if (!ASSIGNMENT.test(word) && !(launched && /^[-\d]/.test(word))) break;
  }
  return words.slice(at);
}

/** The simple commands of a command line, each as its words, quotes taken off. */
function splitCommands(line: string): string[][] {
  const commands: string[][] = [];
  let words: string[] = [];
  let word: string | undefined;
  let quote = "";
  const endWord = () => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  for (const c of line) {
    if (quote !== "") {
      if (c === quote) quote = "";
      else word = (word ?? "") + c;
    } else if (c === '"' || c === "'") {
      quote = c;
      word ??= "";
    } else if (c === " " || c === "\t") endWord();
    else if (";&|()\n".includes(c)) {
      endWord();
      commands.push(words);
      words = [];
    } else word = (word ?? "") + c;
  }
  endWord();
  commands.push(words);
  return commands;
}

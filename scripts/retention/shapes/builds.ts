// SPDX-License-Identifier: Apache-2.0
// Output of compilers, bundlers and linters.
import { moduleName, path, sentence, type TextShape } from "../shape.ts";

const tool = "Bash";

export const BUILDS: readonly TextShape[] = [
  {
    name: "make and gcc",
    tool,
    values: ["-O2", "-O2", "-O3"],
    line: (r, _, { id, value }) =>
      `gcc ${value} -Wall -Iinclude -DBUILD=${id} -c ${path(r, "c")} -o build/${moduleName(r)}.o`,
    error: (r, clue) =>
      `${path(r, "c")}:${r.int(900)}:12: error: '${clue}' undeclared (first use in this function)`,
    block: (r, clue) => [
      `${path(r, "c")}: In function 'main':`,
      `${path(r, "c")}:${r.int(900)}:5: error: too few arguments to function '${clue}'`,
      `   77 |     ${clue}(1);`,
      `      |     ^~~~~~`,
    ],
    tail: () => [
      "make[1]: *** [Makefile:31: build/ledger.o] Error 1",
      "make: *** [Makefile:12: all] Error 2",
    ],
  },
  {
    name: "ninja and clang",
    tool,
    values: ["CXX", "CXX", "LINK"],
    line: (r, i, { id, value }) =>
      `[${i + 1}/1304] Building ${value} object lib/CMakeFiles/core.dir/${moduleName(r)}-${id}.cpp.o`,
    error: (r, clue) => `FAILED: lib/CMakeFiles/core.dir/${clue}.cpp.o [code=${1 + r.int(3)}]`,
    block: (r, clue) => [
      `In file included from lib/${moduleName(r)}.cpp:3:`,
      `lib/order.hpp:${r.int(300)}:17: fatal error: '${clue}.hpp' file not found`,
      "#include <x>",
      "         ^~~",
      "1 error generated.",
    ],
    tail: () => ["ninja: build stopped: subcommand failed."],
  },
  {
    name: "tsc",
    tool,
    values: ["TSFILE:"],
    line: (r, _, { id, value }) => `${value} /app/dist/${path(r, "js")}?${id}`,
    error: (r, clue) =>
      `${path(r, "ts")}(${r.int(400)},${r.int(80)}): error TS2304: Cannot find name '${clue}'.`,
    block: (r, clue) => [
      `${path(r, "ts")}:${r.int(300)}:7 - error TS2322: Type 'string' is not assignable to type '${clue}'.`,
      "",
      `77   const order: ${clue} = "open";`,
      "          ~~~~~",
      "",
    ],
    tail: () => ["Found 1 error in 1 file."],
  },
  {
    name: "cargo build",
    tool,
    values: ["Compiling", "Compiling", "Fresh"],
    line: (r, i, { id, value }) => `   ${value} ${moduleName(r)} v0.${i % 40}.${r.int(9)} (${id})`,
    error: (r, clue) => `error[E0425]: cannot find value \`${clue}\` in this scope (${r.int(99)})`,
    block: (r, clue) => [
      "error[E0308]: mismatched types",
      `  --> src/ledger.rs:${r.int(400)}:18`,
      "   |",
      `77 |     let order: ${clue} = 3;`,
      "   |                ----   ^ expected, found integer",
    ],
    tail: () => ['error: could not compile `app` (bin "app") due to 1 previous error'],
  },
  {
    name: "gradle and javac",
    tool,
    values: ["UP-TO-DATE", "FROM-CACHE", "NO-SOURCE"],
    line: (r, _, { id, value }) => `> Task :${moduleName(r)}:compile${id}Java ${value}`,
    error: (_, clue) => `> Task :ledger:compile${clue}Java FAILED`,
    block: (r, clue) => [
      `/app/src/main/java/org/example/Order.java:${r.int(400)}: error: cannot find symbol`,
      "        return ledger.open();",
      "                     ^",
      `  symbol:   method ${clue}()`,
      "  location: class Ledger",
    ],
    tail: () => [
      "FAILURE: Build failed with an exception.",
      "",
      "* What went wrong:",
      "Execution failed for task ':ledger:compileJava'.",
      "",
      "BUILD FAILED in 41s",
    ],
  },
  {
    name: "go build -x",
    tool,
    values: ["-p", "-p"],
    line: (r, _, { id, value }) =>
      `/usr/lib/go/pkg/tool/compile -o $WORK/b${id}/_pkg_.a -trimpath ${value} example.org/${moduleName(r)}`,
    error: (r, clue) => `./ledger.go:${r.int(400)}:9: undefined: ${clue}`,
    block: (r, clue) => [
      "# example.org/app/ledger",
      `ledger/order.go:${r.int(400)}:14: cannot use "open" (untyped string constant) as ${clue} value in assignment`,
    ],
  },
  {
    name: "webpack",
    tool,
    values: ["[built]", "[built]", "[cached]"],
    line: (r, i, { id, value }) =>
      `    ./${path(r, "js")}?${id} ${(i % 80) + 1}.${r.int(9)} KiB {main} ${value}`,
    error: (r, clue) => `ERROR in ./${path(r, "js")} Module not found: Error: Can't resolve './${clue}'`,
    block: (r, clue) => [
      `ERROR in ./${path(r, "js")} ${r.int(99)}:0-32`,
      `Module not found: Error: Can't resolve '${clue}' in '/app/src'`,
      "resolve './x' in '/app/src'",
      "  using description file: /app/package.json",
    ],
    tail: () => ["webpack 5.94.0 compiled with 1 error in 8123 ms"],
  },
  {
    name: "eslint",
    tool,
    values: ["warning", "warning"],
    line: (r, i, { id, value }) =>
      i % 4 === 0
        ? `/app/${path(r, "ts")}`
        : `  ${i % 400}:${r.int(80)}  ${value}  '${moduleName(r)}${id}' is assigned a value but never used  no-unused-vars`,
    error: (r, clue) => `  ${r.int(400)}:5  error  '${clue}' is not defined  no-undef`,
    block: (r, clue) => [
      `/app/${path(r, "ts")}`,
      `  ${r.int(400)}:9  error  Parsing error: ${clue} expected`,
      "",
    ],
    tail: () => ["✖ 901 problems (1 error, 900 warnings)"],
  },
  {
    name: "msbuild",
    tool,
    values: ["->", "->"],
    line: (r, i, { id, value }) =>
      `  App.Module${i} ${value} /src/bin/Release/net8.0/${moduleName(r)}.${id}.dll`,
    error: (r, clue) =>
      `/src/Order.cs(${r.int(400)},17): error CS0103: The name '${clue}' does not exist in the current context [/src/App.csproj]`,
    block: (r, clue) => [
      "Build FAILED.",
      "",
      `/src/Ledger.cs(${r.int(400)},9): error CS1061: 'Ledger' does not contain a definition for '${clue}' [/src/App.csproj]`,
      "    0 Warning(s)",
      "    1 Error(s)",
    ],
  },
  {
    name: "mypy",
    tool,
    values: ["note:", "note:"],
    line: (r, i, { id, value }) =>
      `app/${moduleName(r)}.py:${i + 1}: ${value} Revealed type is "builtins.${id}"`,
    error: (r, clue) => `app/ledger.py:${r.int(400)}: error: Name "${clue}" is not defined  [name-defined]`,
    block: (r, clue) => [
      `app/order.py:${r.int(400)}: error: Argument 1 to "open" has incompatible type "str"; expected "${clue}"  [arg-type]`,
      "app/order.py:12: note: Consider using a cast",
    ],
    tail: () => ["Found 1 error in 1 file (checked 812 source files)"],
  },
  {
    name: "swift build",
    tool,
    values: ["Compiling", "Emitting module"],
    line: (r, i, { id, value }) => `[${i + 1}/1304] ${value} ${moduleName(r)} ${id}.swift`,
    error: (r, clue) => `/app/Sources/Order.swift:${r.int(400)}:13: error: cannot find '${clue}' in scope`,
    block: (r, clue) => [
      `/app/Sources/Ledger.swift:${r.int(400)}:9: error: value of type 'Ledger' has no member '${clue}'`,
      `        ledger.${sentence(r).split(" ")[0]}()`,
      "        ~~~~~~ ^~~~",
    ],
    tail: () => ["error: fatalError"],
  },
];

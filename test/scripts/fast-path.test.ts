// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { findBreaches } from "../../scripts/check/fast-path.ts";

const source = (path: string, kind = "import-statement") => ({ path, kind });
const builtIn = (path: string, kind = "import-statement") => ({ path, kind, external: true });

it.each([
  ["own sources and cheap built-ins", [source("src/a.ts"), builtIn("node:fs")], [], []],
  [
    "a package",
    [source("node_modules/commander/index.js")],
    [],
    ["src/cli.ts → node_modules/commander/index.js"],
  ],
  ["a package, when needed", [source("node_modules/commander/index.js", "dynamic-import")], [], []],
  ["a heavy built-in", [builtIn("node:crypto")], [], ["src/cli.ts → node:crypto"]],
  ["a heavy built-in, when needed", [builtIn("node:crypto", "require-call")], [], []],
  [
    "one behind a source",
    [source("src/a.ts")],
    [builtIn("node:zlib")],
    ["src/cli.ts → src/a.ts → node:zlib"],
  ],
  ["one behind a lazy source", [source("src/a.ts", "dynamic-import")], [builtIn("node:zlib")], []],
  ["a circle", [source("src/a.ts")], [source("src/cli.ts")], []],
])("%s", (_, entryImports, otherImports, breaches) => {
  const inputs = { "src/cli.ts": { imports: entryImports }, "src/a.ts": { imports: otherImports } };
  expect(findBreaches(inputs)).toEqual(breaches);
});

#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// The npm package's command. Old syntax only: it must run, and say what is wrong, on a Node.js too old for the
// rest. There, too, the hook answers nothing and the filter copies its input.
var version = process.versions.node.split(".").map(Number);
var command = process.argv[2] || "hook";

if (version[0] > 22 || (version[0] === 22 && version[1] >= 15)) {
  require("./cli.cjs");
} else {
  process.stderr.write(
    "isthmos: error: Node.js 22.15 or later is needed, this is " + version.join(".") + "\n",
  );
  process.stderr.write("isthmos: hint: update Node.js, or use the executable, which brings its own\n");
  if (command === "filter") process.stdin.pipe(process.stdout);
  else if (command !== "hook") process.exitCode = 1;
}

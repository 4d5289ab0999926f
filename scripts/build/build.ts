// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bundleCommand } from "./bundle.ts";
import { makeWarmBytecode, packExecutable } from "./executable.ts";
import { DIST, runStep } from "./project.ts";

await runStep(async () => {
  await bundleCommand();
  await packExecutable(
    readFileSync(join(DIST, "cli.cjs"), "latin1"),
    join(DIST, "isthmos"),
    makeWarmBytecode,
  );
});

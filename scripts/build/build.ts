// SPDX-License-Identifier: Apache-2.0
import { join } from "node:path";
import { bundleCommand } from "./bundle.ts";
import { makeWarmBytecode, packExecutable, readBundle } from "./executable.ts";
import { DIST, runStep } from "./project.ts";

await runStep(async () => {
  await bundleCommand();
  await packExecutable(readBundle(), join(DIST, "isthmos"), makeWarmBytecode);
});

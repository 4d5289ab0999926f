// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bundleCommand } from "./bundle.ts";
import { makeWarmBytecode, packExecutable } from "./executable.ts";
import { DIST, runStep } from "./project.ts";

await runStep(async () => {
  await bundleCommand();
  const read = (name: string): string => readFileSync(join(DIST, name), "latin1");
  const bundle = { cli: read("cli.cjs"), program: read("program.cjs") };
  await packExecutable(bundle, join(DIST, "isthmos"), makeWarmBytecode);
});

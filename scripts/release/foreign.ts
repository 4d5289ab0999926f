// SPDX-License-Identifier: Apache-2.0
// An executable for another platform than this one: Node.js writes the part with the script, postject puts it into
// the other platform's Node.js. pkg does the same, but asks the base binary for its version by running it. No
// bytecode: V8 takes only what the same binary made.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Bundle, runtimeOptions, writeParts } from "../build/executable.ts";
import { DIST, ROOT } from "../build/project.ts";
import { stripPeSignature } from "./inspect.ts";
import type { Target } from "./targets.ts";

const SEA_FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

type Inject = (
  file: string,
  resource: string,
  data: Buffer,
  options: { sentinelFuse: string; machoSegmentName?: string },
) => Promise<void>;

/** Writes `output` (absolute) of the binary `base`; `generator` is a Node.js of its version that runs here. */
export async function packForeign(
  bundle: Bundle,
  target: Target,
  { base, generator }: { readonly base: string; readonly generator: string },
  output: string,
): Promise<void> {
  const work = mkdtempSync(join(DIST, ".pack-"));
  try {
    const blob = writeBlob(bundle, target, generator, work);
    const made = join(work, "made");
    writeFileSync(made, stripPeSignature(readFileSync(base)), { mode: 0o755 });
    await quietly(() =>
      loadInject()(made, "NODE_SEA_BLOB", blob, {
        sentinelFuse: SEA_FUSE,
        ...(target.platform === "darwin" && { machoSegmentName: "NODE_SEA" }),
      }),
    );
    if (!readFileSync(made).includes(blob)) throw new Error(`${target.name}: the script is not inside`);
    renameSync(made, output);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function writeBlob(bundle: Bundle, target: Target, generator: string, work: string): Buffer {
  const blob = join(work, "blob");
  const config = join(work, "sea.json");
  const settings = {
    main: join(ROOT, "scripts/build/loader.cjs"),
    output: blob,
    ...runtimeOptions(target.platform),
    useSnapshot: false,
    useCodeCache: false,
    assets: writeParts(bundle, work),
  };
  writeFileSync(config, JSON.stringify(settings));
  const run = spawnSync(generator, ["--experimental-sea-config", config], { env: {}, encoding: "utf8" });
  if (run.status !== 0) throw new Error(`${target.name}: no script part was made: ${run.stderr.trim()}`);
  return readFileSync(blob);
}

/** What postject says of every Node.js binary, and what pkg keeps to itself too. */
const KNOWN_WARNING = /^warning: (Can't find string offset for section name '\.note|The signature seems)/;

async function quietly(work: () => Promise<void>): Promise<void> {
  const { write } = process.stderr;
  process.stderr.write = ((text: string | Uint8Array, ...rest: []) =>
    KNOWN_WARNING.test(String(text)) || write.call(process.stderr, text, ...rest)) as typeof write;
  try {
    await work();
  } finally {
    process.stderr.write = write;
  }
}

// pkg's own copy, so that both ways of packing use the same.
function loadInject(): Inject {
  const fromPkg = createRequire(createRequire(import.meta.url).resolve("@yao-pkg/pkg/package.json"));
  const postject: unknown = fromPkg("postject");
  if (typeof postject === "object" && postject !== null && "inject" in postject) {
    if (typeof postject.inject === "function") return postject.inject as Inject;
  }
  throw new Error("this version of @yao-pkg/pkg brings no postject: install the pinned one");
}

// SPDX-License-Identifier: Apache-2.0
// What a stored original of 32 MiB costs, as ratios of what reading, decrypting and unpacking it costs in the same
// run: node scripts/bench-store.ts. Each measure runs in a process of its own, so that its peak of memory is its own.
// Exit code 1 where a save or a reveal takes more than 3 times that time, or more than 3 times the original's size.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recoverPart } from "../src/core/recover.ts";
import { openKeys } from "../src/store/key.ts";
import { openEntry } from "../src/store/seal.ts";
import { openStore, STORE_DEFAULTS } from "../src/store/vault.ts";

globalThis.require = createRequire(import.meta.url);

const MIB = 1024 * 1024;
const SIZE_BYTES = 32 * MIB;
const RUNS = 5;
const RATIO_MAX = 3;

type Step = "idle" | "floor" | "save" | "lines" | "bytes";
type Shape = keyof typeof SHAPES;

const SHAPES = {
  log: () => {
    const lines: string[] = [];
    for (let i = 0, length = 0; length < SIZE_BYTES; i++) {
      const line = `2026-11-30T10:00:00.${i % 1000}Z INFO worker-${i % 17} handled request ${i * 7919} in ${i % 251} ms\n`;
      lines.push(line);
      length += line.length;
    }
    return new TextEncoder().encode(lines.join("")).subarray(0, SIZE_BYTES);
  },
  random: () => {
    const bytes = new Uint8Array(SIZE_BYTES);
    for (let i = 0, state = 1; i < bytes.length; i++) {
      state = (Math.imul(state, 1664525) + 1013904223) | 0;
      bytes[i] = state >>> 24;
    }
    return bytes;
  },
} as const;

interface Measure {
  readonly ms: number;
  /** Above that of a process that does nothing but hold the original, where it has it anyway. */
  readonly peakBytes: number;
}

const [step, shape, dir] = process.argv.slice(2);
if (isStep(step) && isShape(shape) && dir !== undefined)
  process.stdout.write(JSON.stringify(runStep(step, shape, dir)));
else main();

function isStep(text: string | undefined): text is Step {
  return text !== undefined && ["idle", "floor", "save", "lines", "bytes"].includes(text);
}

function isShape(text: string | undefined): text is Shape {
  return text !== undefined && Object.hasOwn(SHAPES, text);
}

function runStep(name: Step, shapeName: Shape, folder: string): Measure {
  const options = {
    ...STORE_DEFAULTS,
    stateDir: join(folder, "state"),
    keyFile: join(folder, "data", "store.key"),
  };
  const store = openStore(options);
  const entries = join(options.stateDir, "store");
  const id = () =>
    readdirSync(entries)
      .find((file) => file.endsWith(".bin"))
      ?.slice(0, 16) ?? "";
  const steps: Record<Step, () => () => unknown> = {
    idle: () => () => undefined,
    floor: () => {
      const found = id();
      const key = openKeys(options.keyFile)();
      if (key.state !== "ok") throw new Error(key.reason);
      return () => openEntry(key.keys("seal"), found, readFileSync(join(entries, `${found}.bin`)));
    },
    save: () => {
      const bytes = SHAPES[shapeName]();
      rmSync(entries, { recursive: true, force: true });
      return () => store.save(bytes, { tool: "Bash", kind: "text" });
    },
    lines: () => {
      const found = id();
      return () => reveal(found, { lines: { from: 100_000, to: 100_020 } });
    },
    bytes: () => {
      const found = id();
      return () => reveal(found, { bytes: { from: 30 * MIB, to: 30 * MIB + 8192 } });
    },
  };
  const reveal = (found: string, part: Parameters<typeof recoverPart>[1]) => {
    const loaded = store.load(found);
    return loaded.status === "ok" ? recoverPart(loaded.bytes, part) : undefined;
  };
  const run = steps[name]();
  // The first use of a built-in module is no work on the original.
  store.id(new Uint8Array(1));
  const before = process.memoryUsage.rss();
  const start = process.hrtime.bigint();
  run();
  const ms = Number(process.hrtime.bigint() - start) / 1e6;
  return { ms, peakBytes: process.resourceUsage().maxRSS * 1024 - before };
}

function main(): void {
  process.stdout.write(
    "| original | step | time, of reading and opening | peak memory, of the original |\n|---|---|--:|--:|\n",
  );
  let isOver = false;
  for (const name of ["log", "random"] as const) {
    const folder = mkdtempSync(join(tmpdir(), "isthmos-bench-store-"));
    measure("save", name, folder);
    const runs = Array.from({ length: RUNS }, () =>
      (["floor", "save", "lines", "bytes"] as const).map(
        (kind) => [kind, measure(kind, name, folder)] as const,
      ),
    );
    const best = (kind: Step, pick: (measured: Measure) => number) =>
      Math.min(...runs.flat().flatMap(([known, measured]) => (known === kind ? [pick(measured)] : [])));
    const floor = best("floor", ({ ms }) => ms);
    for (const kind of ["floor", "save", "lines", "bytes"] as const) {
      const time = best(kind, ({ ms }) => ms) / floor;
      // Who saves holds the original already.
      const memory =
        (best(kind, ({ peakBytes }) => peakBytes) + (kind === "save" ? SIZE_BYTES : 0)) / SIZE_BYTES;
      isOver ||= time > RATIO_MAX || memory > RATIO_MAX;
      process.stdout.write(`| ${name} | ${kind} | ${time.toFixed(2)} | ${memory.toFixed(2)} |\n`);
    }
    rmSync(folder, { recursive: true });
  }
  process.exitCode = isOver ? 1 : 0;
}

function measure(kind: Step, name: Shape, folder: string): Measure {
  const { stdout, status } = spawnSync(process.execPath, [import.meta.filename, kind, name, folder], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`${kind} failed`);
  const measured: unknown = JSON.parse(stdout);
  if (typeof measured !== "object" || measured === null) throw new Error(`${kind} answered nothing`);
  const fields = new Map<string, unknown>(Object.entries(measured));
  return { ms: Number(fields.get("ms")), peakBytes: Number(fields.get("peakBytes")) };
}

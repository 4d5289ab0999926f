// SPDX-License-Identifier: Apache-2.0
// What an executable is, read out of its headers: ELF, Mach-O or PE, 64 bits, little-endian. So files for platforms
// that this machine cannot run are checked as far as reading them goes.

/** Node.js looks for this name when it starts; postject changes the digit behind it to 1 where a script is inside. */
const SEA_FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

export interface Executable {
  readonly platform: "linux" | "darwin" | "win32";
  readonly arch: "x64" | "arm64";
  /** True if the file holds a signature, be it valid or not. */
  readonly isSigned: boolean;
  /** True if it starts the script inside, false if it is a plain Node.js. */
  readonly hasScript: boolean;
}

type Headers = Omit<Executable, "hasScript">;

/** Reads the headers of `file`. Throws where it is none of the known kinds. */
export function inspectExecutable(file: Buffer): Executable {
  const headers = readElf(file) ?? readMachO(file) ?? readPe(file);
  if (headers === undefined) throw new Error("not an executable for x64 or arm64");
  return { ...headers, hasScript: file.includes(`${SEA_FUSE}:1`) };
}

const ELF_MAGIC = 0x7f454c46;
const ELF_64_BIT = 2;
const ELF_ARCH: ReadonlyMap<number, Executable["arch"]> = new Map([
  [0x3e, "x64"],
  [0xb7, "arm64"],
]);

function readElf(file: Buffer): Headers | undefined {
  if (file.length < 64 || file.readUInt32BE(0) !== ELF_MAGIC || file[4] !== ELF_64_BIT) return undefined;
  const arch = ELF_ARCH.get(file.readUInt16LE(18));
  return arch && { platform: "linux", arch, isSigned: false };
}

const MACHO_MAGIC = 0xfeedfacf;
const MACHO_HEADER_BYTES = 32;
const MACHO_CODE_SIGNATURE = 0x1d;
const MACHO_ARCH: ReadonlyMap<number, Executable["arch"]> = new Map([
  [0x01000007, "x64"],
  [0x0100000c, "arm64"],
]);

function readMachO(file: Buffer): Headers | undefined {
  if (file.length < MACHO_HEADER_BYTES || file.readUInt32LE(0) !== MACHO_MAGIC) return undefined;
  const arch = MACHO_ARCH.get(file.readUInt32LE(4));
  const commands = file.readUInt32LE(16);
  let isSigned = false;
  for (let i = 0, at = MACHO_HEADER_BYTES; i < commands && at + 8 <= file.length; i++) {
    if (file.readUInt32LE(at) === MACHO_CODE_SIGNATURE) isSigned = true;
    at += Math.max(file.readUInt32LE(at + 4), 8);
  }
  return arch && { platform: "darwin", arch, isSigned };
}

const PE_ARCH: ReadonlyMap<number, Executable["arch"]> = new Map([
  [0x8664, "x64"],
  [0xaa64, "arm64"],
]);

function readPe(file: Buffer): Headers | undefined {
  const entry = findPeSignature(file);
  if (entry === undefined) return undefined;
  const arch = PE_ARCH.get(file.readUInt16LE(file.readUInt32LE(0x3c) + 4));
  return arch && { platform: "win32", arch, isSigned: file.readUInt32LE(entry + 4) > 0 };
}

/** Where the headers say offset and size of the signature, 4 bytes each; undefined where `file` is no 64-bit PE. */
function findPeSignature(file: Buffer): number | undefined {
  if (file.length < 64 || file.toString("latin1", 0, 2) !== "MZ") return undefined;
  const at = file.readUInt32LE(0x3c);
  const optional = at + 24;
  const entry = optional + 144;
  if (entry + 8 > file.length || file.toString("latin1", at, at + 4) !== "PE\0\0") return undefined;
  return file.readUInt16LE(optional) === 0x20b ? entry : undefined;
}

/**
 * A PE file without its signature, which stands at the end; other files as they are. The publisher's signature of
 * the base Node.js does not hold for a file that was changed, and a broken one is worse than none.
 */
export function stripPeSignature(file: Buffer): Buffer {
  const entry = findPeSignature(file);
  if (entry === undefined) return file;
  const [start, size] = [file.readUInt32LE(entry), file.readUInt32LE(entry + 4)];
  if (size === 0 || start + size !== file.length) return file;
  const stripped = Buffer.from(file.subarray(0, start));
  stripped.fill(0, entry, entry + 8);
  return stripped;
}

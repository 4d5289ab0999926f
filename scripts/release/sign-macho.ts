// SPDX-License-Identifier: Apache-2.0
// The ad-hoc signature without which Apple silicon starts no program: checksums of the file's pages, nobody's name.
// The same few fields that linkers write (flags: ad hoc, linker-signed), so `codesign --sign` can replace it.
// Big-endian, as cs_blobs.h of xnu has it.
import { createHash } from "node:crypto";

const HEADER_BYTES = 32;
const SEGMENT = 0x19;
const CODE_SIGNATURE = 0x1d;
const COMMAND_BYTES = 16;
/** The largest page of both processors: no segment may overlap the next in memory. */
const MEMORY_PAGE_BYTES = 0x4000;

const SUPER_BLOB = 0xfade0cc0;
const CODE_DIRECTORY = 0xfade0c02;
/** The first version with the fields of the executable segment, which newer systems ask for. */
const VERSION = 0x20400;
const AD_HOC_BY_LINKER = 0x20002;
const MAIN_BINARY = 1n;
const SHA256 = 2;
const HASH_BYTES = 32;
const PAGE_BITS = 12;
const DIRECTORY_BYTES = 88;
const SUPER_BLOB_BYTES = 20;

interface Segment {
  /** Where its load command begins. */
  readonly at: number;
  readonly fileOffset: number;
  readonly fileBytes: number;
  /** File offset of its first section that has content. */
  readonly firstSection: number | undefined;
}

interface Layout {
  readonly segments: ReadonlyMap<string, Segment>;
  readonly commandsEnd: number;
  /** File offset and length of the signature. */
  readonly signature: { readonly offset: number; readonly bytes: number } | undefined;
}

/** `file`, an unsigned 64-bit Mach-O executable, with an ad-hoc signature. Throws where there is no room for one. */
export function signAdHoc(file: Buffer, identifier: string): Buffer {
  const { segments, commandsEnd, signature } = readLayout(file);
  const [text, linkEdit] = [segments.get("__TEXT"), segments.get("__LINKEDIT")];
  if (signature !== undefined || text === undefined || linkEdit === undefined) {
    throw new Error("cannot sign: the file is signed already, or no Mach-O executable");
  }
  if (linkEdit.fileOffset + linkEdit.fileBytes !== file.length) {
    throw new Error("cannot sign: something follows the last segment");
  }
  const firstContent = Math.min(...[...segments.values()].flatMap(({ firstSection }) => firstSection ?? []));
  if (commandsEnd + COMMAND_BYTES > firstContent) throw new Error("cannot sign: no room for a load command");

  const offset = roundUp(file.length, 16);
  const pages = Math.ceil(offset / 2 ** PAGE_BITS);
  const identifierBytes = Buffer.byteLength(identifier) + 1;
  const bytes = SUPER_BLOB_BYTES + DIRECTORY_BYTES + identifierBytes + pages * HASH_BYTES;
  const signed = Buffer.alloc(offset + roundUp(bytes, 16));
  file.copy(signed);

  signed.writeUInt32LE(CODE_SIGNATURE, commandsEnd);
  signed.writeUInt32LE(COMMAND_BYTES, commandsEnd + 4);
  signed.writeUInt32LE(offset, commandsEnd + 8);
  signed.writeUInt32LE(signed.length - offset, commandsEnd + 12);
  signed.writeUInt32LE(file.readUInt32LE(16) + 1, 16);
  signed.writeUInt32LE(file.readUInt32LE(20) + COMMAND_BYTES, 20);
  const linkEditBytes = signed.length - linkEdit.fileOffset;
  signed.writeBigUInt64LE(BigInt(roundUp(linkEditBytes, MEMORY_PAGE_BYTES)), linkEdit.at + 32);
  signed.writeBigUInt64LE(BigInt(linkEditBytes), linkEdit.at + 48);

  // After every change to the pages: they are what is summed.
  const directory = Buffer.alloc(DIRECTORY_BYTES + identifierBytes);
  const fields = [
    CODE_DIRECTORY,
    bytes - SUPER_BLOB_BYTES,
    VERSION,
    AD_HOC_BY_LINKER,
    directory.length,
    DIRECTORY_BYTES,
    0,
    pages,
    offset,
  ];
  for (const [i, field] of fields.entries()) directory.writeUInt32BE(field, i * 4);
  directory.set([HASH_BYTES, SHA256, 0, PAGE_BITS], 36);
  directory.writeBigUInt64BE(BigInt(text.fileOffset), 64);
  directory.writeBigUInt64BE(BigInt(text.fileBytes), 72);
  directory.writeBigUInt64BE(MAIN_BINARY, 80);
  directory.write(identifier, DIRECTORY_BYTES);
  for (const [i, field] of [SUPER_BLOB, bytes, 1, 0, SUPER_BLOB_BYTES].entries()) {
    signed.writeUInt32BE(field, offset + i * 4);
  }
  directory.copy(signed, offset + SUPER_BLOB_BYTES);
  const hashes = hashPages(signed, offset, PAGE_BITS);
  Buffer.concat(hashes).copy(signed, offset + SUPER_BLOB_BYTES + directory.length);
  return signed;
}

/**
 * True if `file`, a 64-bit Mach-O file, is signed and each of its pages has the checksum that the signature says.
 * Whose signature it is, and whether it is to be trusted, is not looked at.
 */
export function pagesMatchSignature(file: Buffer): boolean {
  const { signature } = readLayout(file);
  if (signature === undefined) return false;
  const blob = file.subarray(signature.offset, signature.offset + signature.bytes);
  if (blob.readUInt32BE(0) !== SUPER_BLOB) return false;
  for (let i = 0; i < blob.readUInt32BE(8); i++) {
    const directory = blob.subarray(blob.readUInt32BE(SUPER_BLOB_BYTES - 4 + i * 8));
    if (directory.readUInt32BE(0) !== CODE_DIRECTORY || directory[37] !== SHA256) continue;
    const at = directory.readUInt32BE(16);
    const pages = directory.readUInt32BE(28);
    const limit = directory.readUInt32BE(32);
    const hashes = hashPages(file, limit, directory[39] ?? PAGE_BITS);
    const stated = directory.subarray(at, at + pages * HASH_BYTES);
    return hashes.length === pages && Buffer.concat(hashes).equals(stated);
  }
  return false;
}

function hashPages(file: Buffer, end: number, pageBits: number): Buffer[] {
  const hashes: Buffer[] = [];
  for (let at = 0; at < end; at += 2 ** pageBits) {
    const page = file.subarray(at, Math.min(at + 2 ** pageBits, end));
    hashes.push(createHash("sha256").update(page).digest());
  }
  return hashes;
}

function readLayout(file: Buffer): Layout {
  const segments = new Map<string, Segment>();
  let signature: Layout["signature"];
  let at = HEADER_BYTES;
  for (let i = 0; i < file.readUInt32LE(16); i++) {
    const kind = file.readUInt32LE(at);
    if (kind === SEGMENT) {
      const name = file.toString("latin1", at + 8, at + 24).replace(/\0.*$/, "");
      segments.set(name, readSegment(file, at));
    } else if (kind === CODE_SIGNATURE) {
      signature = { offset: file.readUInt32LE(at + 8), bytes: file.readUInt32LE(at + 12) };
    }
    at += file.readUInt32LE(at + 4);
  }
  return { segments, commandsEnd: at, signature };
}

function readSegment(file: Buffer, at: number): Segment {
  const sections = file.readUInt32LE(at + 64);
  const offsets = Array.from({ length: sections }, (_, i) => file.readUInt32LE(at + 72 + i * 80 + 48));
  const used = offsets.filter((offset) => offset > 0);
  return {
    at,
    fileOffset: Number(file.readBigUInt64LE(at + 40)),
    fileBytes: Number(file.readBigUInt64LE(at + 48)),
    firstSection: used.length > 0 ? Math.min(...used) : undefined,
  };
}

function roundUp(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}

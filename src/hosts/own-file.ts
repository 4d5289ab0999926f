// SPDX-License-Identifier: Apache-2.0
// Files of an agent's folder that are all ours. The first line says so, with a checksum of the rest: what is as it
// was written may be replaced and removed, also where the install record is lost.
import { createHash } from "node:crypto";
import { JsoncError } from "../jsonc/document.ts";
import type { FileEdit } from "./installer.ts";

const SEAL =
  /^(?:\/\/|#) Written by isthmos init; isthmos uninstall removes it as long as it is unchanged: ([0-9a-f]{64})\r?\n/;

/** `body` below its first line; `comment` begins a comment in the file's language. */
export function sealText(comment: "//" | "#", body: string): string {
  const words = "Written by isthmos init; isthmos uninstall removes it as long as it is unchanged";
  return `${comment} ${words}: ${checksum(body)}\n${body}`;
}

/** Is a text ours: as it was written, changed since, or not at all. */
export function sealOf(text: string): "whole" | "changed" | "none" {
  const match = SEAL.exec(text);
  if (match === null) return "none";
  return match[1] === checksum(text.slice(match[0].length)) ? "whole" : "changed";
}

/** Writes the file; one that is not ours is an error. */
export function writeOwnFile(file: Omit<FileEdit, "edit">, text: string): FileEdit {
  return {
    ...file,
    edit: (now) => {
      if (now === undefined || now.trim() === "" || sealOf(now) !== "none") return text;
      throw new JsoncError("it was not written by isthmos: move it away");
    },
  };
}

/** Removes the file if nobody changed it. */
export function removeOwnFile(file: Omit<FileEdit, "edit">): FileEdit {
  return { ...file, edit: (now) => (now !== undefined && sealOf(now) === "whole" ? undefined : now) };
}

function checksum(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

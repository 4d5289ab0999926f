// SPDX-License-Identifier: Apache-2.0
// Built-ins that cost start time, loaded on first use: most calls store nothing.

/** node:crypto, loaded now if it was not. */
export function loadCrypto(): typeof import("node:crypto") {
  return process.getBuiltinModule("node:crypto");
}

/** node:zlib, loaded now if it was not. */
export function loadZlib(): typeof import("node:zlib") {
  return process.getBuiltinModule("node:zlib");
}

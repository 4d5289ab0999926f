// SPDX-License-Identifier: Apache-2.0
// The executable's main script: runs the bundle with its warmed bytecode, and hands it the command tree when it
// asks. V8 compiles the source itself where it does not accept the bytecode.
const { getRawAsset } = require("node:sea");
const { Script } = require("node:vm");

const run = (asset, options, ...args) => {
  const source = Buffer.from(getRawAsset(asset)).latin1Slice();
  return new Script(source, { filename: asset, ...options }).runInThisContext()(...args);
};
const requirePart = (name) => {
  if (name !== "./program.cjs") return require(name);
  const module = { exports: {} };
  run("program", {}, require, module);
  return module.exports;
};
run("cli", { cachedData: Buffer.from(getRawAsset("bytecode")) }, requirePart, { exports: {} });

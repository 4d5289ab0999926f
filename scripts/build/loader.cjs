// SPDX-License-Identifier: Apache-2.0
// The executable's main script: runs the bundle with its warmed bytecode, and hands it the command tree or the MCP
// server when it asks. V8 compiles the source itself where it does not accept the bytecode, or where there is none:
// an executable for another platform than it was built on has none.
const { getRawAsset } = require("node:sea");
const { Script } = require("node:vm");

const run = (asset, options, ...args) => {
  const source = Buffer.from(getRawAsset(asset)).latin1Slice();
  return new Script(source, { filename: asset, ...options }).runInThisContext()(...args);
};
const PARTS = new Map([
  ["./program.cjs", "program"],
  ["./mcp.cjs", "mcp"],
]);
const requirePart = (name) => {
  const part = PARTS.get(name);
  if (part === undefined) return require(name);
  const module = { exports: {} };
  run(part, {}, requirePart, module);
  return module.exports;
};
const readBytecode = () => {
  try {
    return Buffer.from(getRawAsset("bytecode"));
  } catch {
    return undefined;
  }
};
run("cli", { cachedData: readBytecode() }, requirePart, { exports: {} });

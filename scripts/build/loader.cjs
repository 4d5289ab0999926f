// SPDX-License-Identifier: Apache-2.0
// The executable's main script: runs the bundle with its warmed bytecode. V8 compiles the source itself where
// it does not accept the bytecode.
const { getRawAsset } = require("node:sea");
const { Script } = require("node:vm");

const source = Buffer.from(getRawAsset("source")).latin1Slice();
const cachedData = Buffer.from(getRawAsset("bytecode"));
new Script(source, { filename: "isthmos", cachedData }).runInThisContext()(require);

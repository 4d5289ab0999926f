// SPDX-License-Identifier: Apache-2.0
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { errorCode, setFaultPoint } from "../src/faults.ts";
import { list, writeAtomic } from "../src/files.ts";
import { makeErrno, recordOperations } from "./support/faults.ts";
import { encode, makeTempDir, removeTempDir } from "./support/temp-store.ts";

afterEach(() => setFaultPoint(undefined));

describe("setFaultPoint", () => {
  it("counts operations from 1 and passes what it throws", () => {
    const dir = makeTempDir();
    const operations = recordOperations(() => writeAtomic(join(dir, "file"), encode("x"), { sync: true }));
    expect(operations).toEqual(["open", "write", "sync", "rename", "sync"]);
    setFaultPoint((operation, count) => {
      if (count === 2) throw makeErrno(operation === "list" ? "EACCES" : "EIO");
    });
    expect(list(dir)).toEqual(["file"]);
    expect(() => list(dir)).toThrow("EACCES");
    removeTempDir(dir);
  });
});

it.each([
  [makeErrno("ENOSPC"), "ENOSPC"],
  [new Error("plain"), undefined],
  [Object.assign(new Error("odd"), { code: 5 }), undefined],
  ["text", undefined],
  [null, undefined],
])("errorCode of %s", (error, code) => expect(errorCode(error)).toBe(code));

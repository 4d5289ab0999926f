// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { describeError, StoreError } from "../../src/store/store-error.ts";
import { makeErrno } from "../support/faults.ts";

it("carries code and next step", () => {
  const error = new StoreError("key_unusable", "the key is bad", "make a new one");
  expect([error.name, error.code, error.message, error.hint]).toEqual([
    "StoreError",
    "key_unusable",
    "the key is bad",
    "make a new one",
  ]);
});

it.each([
  [makeErrno("ENOSPC"), "ENOSPC"],
  [new Error("plain"), "plain"],
  ["text", "text"],
  [undefined, "undefined"],
])("describes %s as %s", (error, expected) => expect(describeError(error)).toBe(expected));

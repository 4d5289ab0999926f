// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { FAILURE_KEYS, failureTest } from "../../../src/core/json/failure-keys.ts";

it.each([
  ["error", "present"],
  ["ERROR", "present"],
  ["errorCode", "present"],
  ["isError", "true"],
  ["is_error", "true"],
  ["exit_code", "exit"],
  ["exitCode", "exit"],
  ["EXIT-CODE", "exit"],
  ["statusCode", "http"],
  ["Status", "status"],
  ["ok", "false"],
  ["terror", undefined],
  ["errors_url", undefined],
  ["__proto__", undefined],
  ["constructor", undefined],
  ["", undefined],
  ["e_".repeat(5000), undefined],
])("failureTest(%j) is %s", (name, expected) => {
  expect(failureTest(name)).toBe(expected);
});

it("names each key once, so that no row hides another", () => {
  const names = FAILURE_KEYS.flatMap(({ keys }) => keys.map((key) => key.replaceAll("_", "")));
  expect(new Set(names).size).toBe(names.length);
});

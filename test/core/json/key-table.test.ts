// SPDX-License-Identifier: Apache-2.0
import { expect, it } from "vitest";
import { createKeyTable } from "../../../src/core/json/key-table.ts";
import { encode } from "./support.ts";

const look = (table: ReturnType<typeof createKeyTable>, key: string) => {
  const bytes = encode(`{"${key}":1}`);
  return table(bytes, 1, bytes.length - 3);
};

it("asks about each spelling once, and by its decoded name", () => {
  const asked: string[] = [];
  const table = createKeyTable((name) => {
    asked.push(name);
    return name === "node_id";
  });
  const spellings = ["node_id", "n\\u006fde_id", "id", "node_id", "id", "n\\u006fde_id"];
  expect(spellings.map((key) => look(table, key).dropped)).toEqual([true, true, false, true, false, true]);
  expect(asked).toEqual(["node_id", "node_id", "id"]);
});

it("gives name and failure test", () => {
  const table = createKeyTable(() => false);
  expect(look(table, "exit\\u005fcode")).toEqual({ name: "exit_code", dropped: false, failure: "exit" });
});

it("stays right when more names come than it has room for", () => {
  const table = createKeyTable((name) => name.endsWith("7"));
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 20_000; i++) {
      const { name, dropped } = look(table, `key${i}`);
      expect(name === `key${i}` && dropped === (i % 10 === 7)).toBe(true);
    }
  }
});

it.each([126, 127, 128, 200_000])("answers for a name of %d bytes", (length) => {
  const table = createKeyTable((name) => name.length === length);
  expect(look(table, "k".repeat(length)).dropped).toBe(true);
});

// SPDX-License-Identifier: Apache-2.0
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readRows } from "../../src/measure/log.ts";
import { answeredText, batch, citedIds, sessionStart, toolResult } from "../support/events.ts";
import { EXECUTABLE_MISSING, type Home, makeHome } from "../support/run-cli.ts";

/** What must not lie anywhere: from the text, the command, the folder and the ids of the host. */
const SECRETS = [
  "hunter2-password",
  "sk-live-0a1b2c3d",
  "secret-folder",
  "session-7f3e",
  "agent-77aa",
  "use-id-5c5c",
];
const LOG = Array.from({ length: 300 }, (_, i) => `${i}: token sk-live-0a1b2c3d of hunter2-password\n`).join(
  "",
);
const WHOLE = `${"hunter2-password in one long line ".repeat(200)}\n`;
const CALL = { session: "session-7f3e", useId: "use-id-5c5c" };
const TOOL = "mcp__vault__secret_reader";

const withSecrets = (event: string): string =>
  event
    .replaceAll("/home/dev/p", "/home/dev/secret-folder")
    .replaceAll('"tool_input":{}', '"tool_input":{"path":"/secret-folder/hunter2-password"}');

describe.skipIf(EXECUTABLE_MISSING)("C13: what lies on the disk", () => {
  let home: Home;
  let files: string[];

  beforeAll(() => {
    home = makeHome([{ tool: "*", max_lines: 20 }]);
    const send = (event: string) => home.run({ input: withSecrets(event) });
    send(sessionStart("startup", CALL));
    send(sessionStart("startup", { ...CALL, agent: "agent-77aa" }));
    const cut = send(toolResult({ ...CALL, tool: TOOL, text: LOG }));
    send(toolResult({ ...CALL, tool: TOOL, text: WHOLE }));
    send(batch([{ ...CALL, tool: TOOL, text: WHOLE }]));
    send(toolResult({ ...CALL, tool: TOOL, text: WHOLE, useId: "use-id-5c5c-2" }));
    home.run({ args: ["reveal", citedIds(answeredText(cut.stdout) ?? "")[0] ?? ""] });
    home.run({ input: '{"hunter2-password": broken' });
    const root = join(home.path, ".local");
    files = readdirSync(root, { recursive: true })
      .map((name) => join(root, String(name)))
      .filter((path) => path.includes("isthmos/"));
  });
  afterAll(() => home.remove());

  it("is there: entries, log, health, seen index, mark of the reveal, key", () => {
    const names = files.join("\n");
    for (const part of [
      /store\/[0-9a-f]{16}\.bin/,
      /measure\.jsonl/,
      /health\.jsonl/,
      /\/seen\//,
      /\/revealed\//,
      /store\.key/,
    ]) {
      expect(names).toMatch(part);
    }
    expect([...readRows({ stateDir: home.stateDir })].map(({ kind }) => kind)).toContain("reveal");
  });

  it("holds nothing of a payload, a path, an argument or an id of the host, neither in files nor in names", () => {
    const found = files.flatMap((path) => {
      const text = lstatSync(path).isFile() ? readFileSync(path, "latin1") : "";
      return SECRETS.filter(
        (secret) => text.includes(secret) || path.slice(home.path.length).includes(secret),
      );
    });
    expect(found).toEqual([]);
  });

  it("has no name of a tool in the store", () => {
    for (const path of files.filter((name) => name.includes("/store/") && lstatSync(name).isFile())) {
      expect(readFileSync(path, "latin1")).not.toContain("vault");
      expect(readFileSync(path, "latin1")).not.toContain("secret_reader");
    }
  });

  it("is for its owner only", () => {
    for (const path of files) {
      const stats = lstatSync(path);
      expect([path, (stats.mode & 0o777).toString(8)]).toEqual([path, stats.isDirectory() ? "700" : "600"]);
    }
  });
});

// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type InstallHome, makeInstallHome } from "../support/install-home.ts";

const RULES = ".config/isthmos/rules.json";
const USER = ".claude/settings.json";
const STATE = ".local/state/isthmos";

let home: InstallHome;
beforeEach(() => {
  home = makeInstallHome();
});
afterEach(() => home.remove());

describe("uninstall", () => {
  it("says what it did, file by file, and what is kept", async () => {
    home.write(USER, "{}\n");
    await home.init();
    const { code, out } = await home.uninstall();
    expect(code).toBe(0);
    expect(out).toBe(`removed isthmos from:

  as before  ~/.claude/settings.json  (byte for byte as before init)
  removed  ~/.claude.json  (there was none before init)

kept: rules, originals and log; isthmos uninstall --purge removes what isthmos stored
`);
    expect(Object.keys(home.snapshot())).toEqual([USER, RULES, `${STATE}/installs.json`]);
  });

  it("removes folders that init made, as far as nothing else is in them", async () => {
    await home.init();
    await home.init({ scope: "project" });
    home.write(".claude/other", "x");
    await home.uninstall();
    expect([".claude", "work/deep/project/.claude"].map(home.has)).toEqual([true, false]);
  });

  it("has nothing to do where nothing is wired", async () => {
    const { code, out } = await home.uninstall();
    expect([code, out]).toEqual([0, "not set up: nothing to remove\n"]);
    expect(home.snapshot()).toEqual({});
  });

  it("--dry-run shows the differences and writes nothing", async () => {
    home.write(USER, "{}\n");
    await home.init();
    const before = home.snapshot();
    const { out } = await home.uninstall({ dryRun: true, purge: true });
    expect(out).toMatch(/^would remove/);
    expect(out).toContain('    -  "hooks": {');
    expect(out).toContain("would purge");
    expect(home.snapshot()).toEqual(before);
  });

  it("refuses a broken file, and changes nothing", async () => {
    await home.init();
    home.write(USER, "{");
    const before = home.snapshot();
    expect((await home.uninstall()).code).toBe(1);
    expect(home.snapshot()).toEqual(before);
  });

  it("takes hand-written hooks out", async () => {
    const hooks = {
      PostToolUse: [{ matcher: "*", hooks: [{ type: "command", command: "$HOME/bin/isthmos hook" }] }],
    };
    home.write(USER, JSON.stringify({ a: 1, hooks }));
    await home.uninstall();
    expect(home.read(USER)).toBe('{"a":1,"hooks":{"PostToolUse":[]}}');
  });
});

describe("uninstall --purge", () => {
  const fill = () => {
    home.write(`${STATE}/store/0123456789abcdef.bin`, "x".repeat(100));
    home.write(`${STATE}/seen/00112233445566aa/1/00112233445566bb/5000-0a1b2c3d`, "x");
    home.write(`${STATE}/measure.jsonl`, "{}\n");
    home.write(`${STATE}/health.jsonl`, "{}\n");
    home.write(`${STATE}/servers/1.json`, "{}");
    home.write(".local/share/isthmos/store.key", "k".repeat(32));
  };

  it("removes all that isthmos keeps, and says what", async () => {
    await home.init();
    fill();
    const { code, out } = await home.uninstall({ purge: true });
    expect(code).toBe(0);
    expect(out).toMatch(/originals +1 file, 100 B/);
    for (const what of ["references", "log", "health", "key", "rules"]) expect(out).toContain(what);
    expect(home.snapshot()).toEqual({});
    expect([STATE, ".local/share/isthmos", ".config/isthmos"].filter(home.has)).toEqual([]);
  });

  it("works without a wiring, and keeps rules that are the user's", async () => {
    fill();
    await home.init();
    home.write(RULES, home.read(RULES).replace("50", "60"));
    const { out } = await home.uninstall({ purge: true });
    expect(out).toContain("kept, as they are yours");
    expect(Object.keys(home.snapshot())).toEqual([RULES]);
    expect((await home.uninstall({ purge: true })).out).toContain("nothing was stored");
  });

  it("after an uninstall still removes the starter rules", async () => {
    await home.init({ mode: "live" });
    await home.uninstall();
    await home.uninstall({ purge: true });
    expect(home.snapshot()).toEqual({});
  });

  it("leaves foreign files in the state folder", async () => {
    home.write(`${STATE}/mine.txt`, "x");
    home.write(`${STATE}/store/notes.txt`, "x");
    fill();
    await home.uninstall({ purge: true });
    expect(Object.keys(home.snapshot()).sort()).toEqual([`${STATE}/mine.txt`, `${STATE}/store/notes.txt`]);
  });
});

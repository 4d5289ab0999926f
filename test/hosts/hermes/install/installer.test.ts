// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hermesInstaller as installer } from "../../../../src/hosts/hermes/install/installer.ts";
import { type InstallHome, makeInstallHome } from "../../../support/install-home.ts";

const FOLDER = ".hermes/plugins/isthmos";
const SHIM = `${FOLDER}/__init__.py`;
const MANIFEST = `${FOLDER}/plugin.yaml`;

let home: InstallHome;
beforeEach(() => {
  home = makeInstallHome();
});
afterEach(() => home.remove());

describe("init --agent hermes", () => {
  it("writes a directory plugin; twice changes nothing; uninstall removes exactly that", async () => {
    home.write(".hermes/config.yaml", "plugins:\n  enabled: []\n");
    expect((await home.init({ installer })).code).toBe(0);
    expect(home.read(SHIM)).toContain('\nPROGRAM = ["/opt/isthmos/isthmos"]\n');
    expect(home.read(MANIFEST)).toContain("\nname: isthmos\n");
    const wired = home.snapshot();
    expect((await home.init({ installer })).out).toContain("already set up: Hermes Agent");
    expect(home.snapshot()).toEqual(wired);
    expect((await home.uninstall({ agent: "hermes" })).code).toBe(0);
    expect(home.has(".hermes/plugins")).toBe(false);
    expect(home.read(".hermes/config.yaml")).toBe("plugins:\n  enabled: []\n");
  });

  it("looks where HERMES_HOME says", async () => {
    const other = makeInstallHome((path) => ({ HERMES_HOME: `${path}/h` }));
    try {
      await other.init({ installer });
      expect(other.has("h/plugins/isthmos/__init__.py")).toBe(true);
      await other.uninstall({ agent: "hermes" });
      expect(other.has("h")).toBe(false);
    } finally {
      other.remove();
    }
  });

  it.each([
    ["the project scope", { scope: "project" }],
    ["the local scope", { scope: "local" }],
    ["the resident route", { route: "resident" }],
    ["a matcher", { matcher: "terminal" }],
  ] as const)("refuses %s, and changes nothing", async (_, args) => {
    expect((await home.init({ installer, ...args })).code).toBe(1);
    expect(home.snapshot()).toEqual({});
  });

  it("refuses to write over another's plugin of the name, and changes nothing", async () => {
    home.write(MANIFEST, "name: isthmos\n");
    const before = home.snapshot();
    expect((await home.init({ installer })).code).toBe(1);
    expect(home.snapshot()).toEqual(before);
  });

  it("uninstall leaves a file that was changed, and what Python made of it", async () => {
    await home.init({ installer });
    home.write(SHIM, `${home.read(SHIM)}# mine\n`);
    home.write(`${FOLDER}/__pycache__/__init__.cpython-312.pyc`, "x");
    await home.uninstall({ agent: "hermes" });
    expect(home.has(SHIM)).toBe(true);
    expect(home.has(MANIFEST)).toBe(false);
  });
});

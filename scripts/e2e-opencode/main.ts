// SPDX-License-Identifier: Apache-2.0
// Installs the client, wires isthmos with `init --agent opencode`, runs each scenario in a home of its own, and takes
// isthmos out again: the settings must be as they were, byte for byte.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { CLIENT_VERSION, clientSettings, installClient, runClient } from "./client.ts";
import { startMock } from "./mock-api.ts";
import { type Fault, LONG_TEXT, RULES, type Scenario, SERVER_NAME, scenarios } from "./scenarios.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const EXECUTABLE = resolve(process.env.ISTHMOS_BIN ?? join(ROOT, "dist/isthmos"));

const STAND_INS: Readonly<Partial<Record<Fault, string>>> = {
  hanging: "exec sleep 600",
  garbage: `cat > /dev/null; echo '{"output":["not a text"]} and more'`,
  failing: `cat > /dev/null; echo '{"output":"short"}'; exit 3`,
};

async function runScenario(scenario: Scenario, program: string): Promise<string[]> {
  const base = mkdtempSync(join(tmpdir(), "isthmos opencode "));
  const home = join(base, "home");
  const folder = join(base, "project");
  const isthmos = join(base, "bin/isthmos");
  const settings = join(home, ".config/opencode/opencode.jsonc");
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const calls = scenario.calls.map(({ tool, input }) => ({
    tool,
    input: Object.fromEntries(
      Object.entries(input).map(([key, value]) => [key, String(value).replace("$CWD", folder)]),
    ),
  }));
  const mock = await startMock(new Map([[scenario.fault, calls]]));
  try {
    write(join(home, ".config/isthmos/rules.json"), JSON.stringify(RULES));
    write(join(folder, "long.txt"), LONG_TEXT);
    mkdirSync(dirname(isthmos));
    symlinkSync(EXECUTABLE, isthmos);
    const server = { type: "local", command: [process.execPath, join(import.meta.dirname, "mcp-server.ts")] };
    const text = `// the user's own\n${JSON.stringify({ ...clientSettings(mock.port), mcp: { [SERVER_NAME]: server } }, undefined, 2)}\n`;
    write(settings, text);
    const path = `${dirname(isthmos)}:/usr/bin:/bin`;
    const own = (...args: string[]) =>
      execFileSync(isthmos, args, { cwd: folder, env: { HOME: home, PATH: path }, encoding: "utf8" });
    own("init", "--agent", "opencode", "--live");

    if (scenario.fault !== "works") rmSync(isthmos);
    const standIn = STAND_INS[scenario.fault];
    if (standIn !== undefined) {
      write(isthmos, `#!/bin/sh\n[ "$1" = hook ] || exec '${EXECUTABLE}' "$@"\n${standIn}\n`);
      chmodSync(isthmos, 0o755);
    }
    const { code, said } = await runClient(program, `SCRIPT:${scenario.fault}`, { home, folder, path });
    const results = calls.map((_, turn) => mock.results.get(`${scenario.fault}:${turn}`) ?? "");
    const faults = scenario.check(results);
    if (!mock.tools.has("isthmos_reveal")) faults.push("the model is not offered the server's reveal");
    if (mock.tools.has("isthmos_compress")) faults.push("the model is offered a tool that is not for it");
    if (code !== 0) faults.push(`the client ended with code ${code}`);
    if (faults.length > 0) show(results, said);

    rmSync(isthmos, { force: true });
    symlinkSync(EXECUTABLE, isthmos);
    if (scenario.fault === "works") {
      const stats = own("stats", "--json");
      if (!stats.includes('"mcp__my_srv__long_list"')) faults.push("stats does not know the MCP tool");
    }
    own("uninstall", "--agent", "opencode");
    if (readFileSync(settings, "utf8") !== text) faults.push("the settings are not as they were");
    if (existsSync(join(home, ".config/opencode/plugin"))) faults.push("the plugin is still there");
    return faults;
  } finally {
    mock.close();
    rmSync(base, { recursive: true, force: true });
  }
}

function show(results: readonly string[], said: string): void {
  const clip = (text: string) => (text.length > 400 ? `${text.slice(0, 200)} … ${text.slice(-200)}` : text);
  console.log(JSON.stringify(results.map(clip), undefined, 2));
  console.log(said.slice(-3000));
}

const { values } = parseArgs({
  options: { client: { type: "string", default: CLIENT_VERSION }, only: { type: "string" } },
});
if (!existsSync(EXECUTABLE)) {
  console.error(`e2e-opencode: error: no executable ${EXECUTABLE}`);
  console.error("e2e-opencode: hint: run npm run build");
  process.exit(1);
}
const client = process.env.ISTHMOS_OPENCODE_DIR ?? mkdtempSync(join(tmpdir(), "isthmos-opencode-client-"));
let failed = 0;
try {
  const program = installClient(resolve(client), values.client);
  for (const scenario of scenarios) {
    if (values.only !== undefined && scenario.fault !== values.only) continue;
    const faults = await runScenario(scenario, program);
    failed += faults.length;
    console.log(`${faults.length === 0 ? "ok    " : "FAILED"} ${scenario.fault}`);
    for (const fault of faults) console.log(`       ${fault}`);
  }
} finally {
  if (process.env.ISTHMOS_OPENCODE_DIR === undefined) rmSync(client, { recursive: true, force: true });
}
process.exit(failed === 0 ? 0 : 1);

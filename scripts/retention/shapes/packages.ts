// SPDX-License-Identifier: Apache-2.0
// Output of package managers.
import { moduleName, type TextShape } from "../shape.ts";

const tool = "Bash";

export const PACKAGE_MANAGERS: readonly TextShape[] = [
  {
    name: "npm install",
    tool,
    values: ["200", "200", "304"],
    line: (r, _, { id, value }) =>
      `npm http fetch GET ${value} https://packages.example.org/${moduleName(r)}/${id} ${r.int(900)}ms (cache ${r.pick(["hit", "miss"])})`,
    error: (_, clue) => `npm error code E_${clue}`,
    block: (r, clue) => [
      "npm error code ERESOLVE",
      "npm error ERESOLVE unable to resolve dependency tree",
      `npm error Could not resolve dependency: peer ${clue}@"^${r.int(20)}.0.0" from ${moduleName(r)}@2.1.0`,
    ],
    tail: () => ["npm error A complete log of this run can be found in: /home/dev/.npm/_logs/2026-11-30.log"],
  },
  {
    name: "pnpm install",
    tool,
    values: ["reused", "downloaded"],
    line: (r, i, { id, value }) =>
      `Progress: resolved ${i}, ${value} ${moduleName(r)}@${id}, added ${r.int(900)}`,
    error: (_, clue) => ` ERR_PNPM_FETCH_404  GET https://packages.example.org/${clue}: Not Found - 404`,
    block: (r, clue) => [
      ` ERR_PNPM_PEER_DEP_ISSUES  Unmet peer dependencies`,
      "",
      ".",
      `└─┬ ${moduleName(r)} ${r.int(9)}.0.0`,
      `  └── ✕ unmet peer ${clue}@^4: found 3.1.0`,
    ],
  },
  {
    name: "pip install",
    tool,
    values: ["Collecting", "Downloading", "Using cached"],
    line: (r, i, { id, value }) =>
      `${value} ${moduleName(r)}==${i % 20}.${r.int(20)} (from -r requirements.txt (line ${i}), ${id})`,
    error: (_, clue) =>
      `ERROR: Could not find a version that satisfies the requirement ${clue} (from versions: none)`,
    block: (r, clue) => [
      "  error: subprocess-exited-with-error",
      "",
      "  × Building wheel did not run successfully.",
      `  │ exit code: ${1 + r.int(3)}`,
      `  ╰─> fatal error: ${clue}.h: No such file or directory`,
    ],
  },
  {
    name: "apt-get",
    tool,
    values: ["Get", "Hit", "Unpacking", "Setting up"],
    line: (r, i, { id, value }) =>
      `${value}:${i} http://archive.example.org noble/main amd64 lib${moduleName(r)} ${id} [${r.int(900)} kB]`,
    error: (_, clue) => `E: Unable to locate package ${clue}`,
    block: (r, clue) => [
      `dpkg: error processing package ${clue} (--configure):`,
      ` installed ${clue} package post-installation script subprocess returned error exit status ${1 + r.int(9)}`,
      "Errors were encountered while processing:",
      ` ${clue}`,
    ],
  },
  {
    name: "bundler",
    tool,
    values: ["Using", "Installing", "Fetching"],
    line: (r, i, { id, value }) => `${value} ${moduleName(r)} ${i % 9}.${r.int(20)}.${r.int(20)} (${id})`,
    error: (_, clue) => `Gem::Ext::BuildError: ERROR: Failed to build gem native extension ${clue}.`,
    block: (r, clue) => [
      `An error occurred while installing ${clue} (${r.int(9)}.1.0), and Bundler cannot`,
      "continue.",
      "",
      "In Gemfile:",
      `  ${clue}`,
    ],
  },
  {
    name: "composer",
    tool,
    values: ["Extracting archive", "Downloading (100%)"],
    line: (r, i, { id, value }) =>
      `  - Installing ${moduleName(r)}/${id} (v${i % 9}.${r.int(20)}.0): ${value}`,
    error: (_, clue) =>
      `  [RuntimeException] Could not scan for classes inside "${clue}" which does not appear to be a file nor a folder`,
    block: (r, clue) => [
      "Your requirements could not be resolved to an installable set of packages.",
      "",
      `  Problem ${1 + r.int(4)}`,
      `    - Root composer.json requires ${clue}, it could not be found in any version.`,
    ],
  },
  {
    name: "maven download",
    tool,
    values: ["Downloaded", "Downloading"],
    line: (r, i, { id, value }) =>
      `[INFO] ${value} from central: https://repo.example.org/org/example/${moduleName(r)}/${i}/${id}.pom (${r.int(90)} kB at ${r.int(900)} kB/s)`,
    error: (_, clue) =>
      `[ERROR] Failed to execute goal on project app: Could not resolve dependencies for ${clue}:jar:1.0`,
    block: (r, clue) => [
      `[ERROR] COMPILATION ERROR :`,
      `[ERROR] /app/src/main/java/Order.java:[${r.int(400)},17] cannot find symbol`,
      `[ERROR]   symbol:   class ${clue}`,
    ],
  },
];

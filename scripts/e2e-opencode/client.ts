// SPDX-License-Identifier: Apache-2.0
// OpenCode itself: the native program from its npm package, pinned, and one run of it in a home of its own.
import { spawn } from "node:child_process";
import { installProgram } from "../npm-program.ts";

export const CLIENT_VERSION = "1.18.33";
const PACKAGE = "opencode-linux-x64";
/** A run of a handful of calls takes some ten seconds on a busy machine. */
const RUN_TIMEOUT_MS = 180_000;

/** Path of the client's program in `folder`; installs it unless this version is there. Throws if npm fails. */
export function installClient(folder: string, version: string): string {
  return installProgram(folder, { name: PACKAGE, version, file: "bin/opencode" });
}

/** The settings by which the client asks the mock and nobody else. */
export function clientSettings(port: number): Record<string, unknown> {
  const options = { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: "none" };
  const model = { name: "mock", tool_call: true, limit: { context: 200_000, output: 8000 } };
  return {
    $schema: "https://opencode.ai/config.json",
    provider: { mock: { npm: "@ai-sdk/openai-compatible", name: "mock", options, models: { mock: model } } },
    model: "mock/mock",
    small_model: "mock/mock",
    autoupdate: false,
    share: "disabled",
    permission: "allow",
  };
}

/** Runs the client once; answers its exit code (null: it had to be ended) and all it said. */
export function runClient(
  program: string,
  prompt: string,
  place: { readonly home: string; readonly folder: string; readonly path: string },
): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = spawn(program, ["run", prompt, "--print-logs"], {
    cwd: place.folder,
    env: {
      HOME: place.home,
      PATH: place.path,
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  const note = (chunk: Buffer) => {
    said += chunk.toString();
  };
  child.stdout.on("data", note);
  child.stderr.on("data", note);
  const timer = setTimeout(() => child.kill("SIGKILL"), RUN_TIMEOUT_MS);
  return new Promise((resolve) => {
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code, said });
    });
  });
}

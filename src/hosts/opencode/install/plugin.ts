// SPDX-License-Identifier: Apache-2.0
// The plugin that OpenCode loads: plain JavaScript for OpenCode's own runtime, without a package. OpenCode fails
// closed and waits for as long as a plugin takes, so everything in it is caught and timed.
import type { Program } from "../../installer.ts";
import { sealText } from "../../own-file.ts";

/** The plugin's text, which starts isthmos by `program`. */
export function pluginText(program: Program): string {
  return sealText(
    "//",
    BODY.replace('["isthmos"]', () => JSON.stringify(program)),
  );
}

const BODY = `import { spawn } from "node:child_process";

const PROGRAM = ["isthmos"];
// isthmos itself gives up after two seconds; the rest is for its start on a slow disk.
const TIMEOUT_MS = 5000;
// After an answer that did not come, results pass at once for a while.
const PAUSE_MS = 60_000;
const TEXT_MAX_LENGTH = 32 * 1024 * 1024;
// The model reads a line or two about these, or what it wrote itself.
const SKIPPED = new Set(["apply_patch", "edit", "multiedit", "patch", "question", "todoread", "todowrite", "write"]);

// Two copies of the plugin, the user's and a project's, treat a result once.
const treated = (globalThis[Symbol.for("isthmos.treated")] ??= new WeakSet());

export const Isthmos = async (context) => {
  let servers = [];
  let pausedUntil = 0;
  return {
    config: async (config) => {
      try {
        servers = serverNames(config?.mcp);
      } catch {
        // Names of tools are then split at their first underscore.
      }
    },
    // Whatever fails in here, the output stays as it was.
    "tool.execute.after": async (input, output) => {
      try {
        if (Date.now() < pausedUntil || SKIPPED.has(input.tool) || treated.has(output)) return;
        treated.add(output);
        const texts = textsOf(output);
        if (texts === undefined) return;
        const event = {
          host: "opencode",
          tool: input.tool,
          session: input.sessionID,
          call: input.callID,
          command: stringOf(input.args?.command),
          path: stringOf(input.args?.filePath ?? input.args?.path),
          servers,
          output: texts,
        };
        const answer = await ask(JSON.stringify(event));
        if (answer !== "") place(output, JSON.parse(answer));
      } catch (error) {
        pausedUntil = Date.now() + PAUSE_MS;
        note(context, error);
      }
    },
  };
};

function serverNames(mcp) {
  const isServer = (value) => typeof value?.type === "string";
  const nested = mcp?.servers && !isServer(mcp.servers) ? mcp.servers : mcp;
  return Object.keys(nested ?? {});
}

// The texts that the model is sent, in the shape of the output they stand in.
function textsOf(output) {
  if (Array.isArray(output?.content)) {
    const content = output.content.map((block) => (isText(block) ? { type: "text", text: block.text } : { type: "other" }));
    const length = content.reduce((sum, { text = "" }) => sum + text.length, 0);
    return length === 0 || length > TEXT_MAX_LENGTH ? undefined : { content };
  }
  const text = output?.output;
  if (typeof text !== "string" || text === "" || text.length > TEXT_MAX_LENGTH) return undefined;
  return { output: text };
}

// Only a smaller text of the same shape is taken; all of it is checked before anything is changed.
function place(output, answer) {
  if (Array.isArray(output.content)) {
    const blocks = output.content;
    if (!Array.isArray(answer.content) || answer.content.length !== blocks.length) throw new Error("another shape");
    const next = blocks.map((block, at) => (isText(block) ? { ...block, text: answer.content[at]?.text } : block));
    if (!next.every((block, at) => block === blocks[at] || typeof block.text === "string")) throw new Error("another shape");
    if (sizeOf(next) >= sizeOf(blocks)) throw new Error("not smaller");
    output.content = next;
    return;
  }
  if (typeof answer.output !== "string") throw new Error("another shape");
  if (Buffer.byteLength(answer.output) >= Buffer.byteLength(output.output)) throw new Error("not smaller");
  output.output = answer.output;
}

function sizeOf(blocks) {
  return blocks.reduce((sum, block) => sum + (isText(block) ? Buffer.byteLength(block.text) : 0), 0);
}

function isText(block) {
  return block?.type === "text" && typeof block.text === "string";
}

function stringOf(value) {
  return typeof value === "string" ? value : undefined;
}

// What isthmos answers to the event: empty where nothing is to be changed.
function ask(event) {
  return new Promise((resolve, reject) => {
    const [file, ...args] = PROGRAM;
    const child = spawn(file, [...args, "hook"], { stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
    const chunks = [];
    let length = 0;
    const fail = (reason) => {
      clearTimeout(timer);
      reject(new Error(reason));
      try {
        child.kill("SIGKILL");
        child.stdout.destroy();
        child.unref();
      } catch {
        // It is gone.
      }
    };
    const timer = setTimeout(() => fail("no answer in time"), TIMEOUT_MS);
    child.on("error", () => fail("it could not be started"));
    child.stdin.on("error", () => {});
    child.stdout.on("error", () => fail("its answer could not be read"));
    child.stdout.on("data", (chunk) => {
      chunks.push(chunk);
      length += chunk.length;
      // An answer is smaller than what it answers.
      if (length > Buffer.byteLength(event)) fail("the answer is too large");
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      if (code === 0) resolve(Buffer.concat(chunks).toString("utf8"));
      else reject(new Error("it ended with code " + code));
    });
    child.stdin.end(event);
  });
}

// For the log of OpenCode; nobody waits for it.
function note(context, error) {
  try {
    const message = "isthmos left a result as it was: " + String(error?.message ?? error);
    const logged = context?.client?.app?.log?.({ body: { service: "isthmos", level: "warn", message } });
    logged?.catch?.(() => {});
  } catch {
    // Without a log it is left as it was all the same.
  }
}
`;

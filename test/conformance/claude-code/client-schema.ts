// SPDX-License-Identifier: Apache-2.0
// The client's check of a rewritten result, as observed with client 2.1.332: the keys each built-in tool's output
// needs and their types; more keys are welcome. MCP results are not checked by the client, but anything else than
// a string or valid blocks breaks the call or the request after it, so it is wrong here.

type Check = (value: unknown) => boolean;

const isString: Check = (value) => typeof value === "string";
const isNumber: Check = (value) => typeof value === "number";
const isBoolean: Check = (value) => typeof value === "boolean";
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const oneOf =
  (...values: unknown[]): Check =>
  (value) =>
    values.includes(value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const either =
  (...checks: Check[]): Check =>
  (value) =>
    checks.some((check) => check(value));
const shape =
  (fields: Record<string, Check>): Check =>
  (value) =>
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.entries(fields).every(([name, check]) => check(Reflect.get(value, name)));

const isTextBlock = shape({ type: oneOf("text"), text: isString });
const isImageBlock = shape({
  type: oneOf("image"),
  source: shape({ type: oneOf("base64"), media_type: isString, data: isString }),
});

const CHECKS = new Map<string, Check>([
  [
    "Bash",
    shape({
      stdout: isString,
      stderr: isString,
      interrupted: isBoolean,
      isImage: optional(isBoolean),
      backgroundTaskId: optional(isString),
      persistedOutputPath: optional(isString),
      persistedOutputSize: optional(isNumber),
    }),
  ],
  [
    "Read",
    either(
      shape({
        type: oneOf("text"),
        file: shape({
          filePath: isString,
          content: isString,
          numLines: isNumber,
          startLine: isNumber,
          totalLines: isNumber,
        }),
      }),
      shape({
        type: oneOf("image"),
        file: shape({ base64: isString, type: isString, originalSize: isNumber }),
      }),
    ),
  ],
  [
    "Grep",
    shape({
      mode: oneOf("content", "files_with_matches", "count"),
      numFiles: isNumber,
      filenames: listOf(isString),
      content: optional(isString),
      numLines: optional(isNumber),
      numMatches: optional(isNumber),
    }),
  ],
  [
    "Glob",
    shape({ durationMs: isNumber, numFiles: isNumber, filenames: listOf(isString), truncated: isBoolean }),
  ],
  [
    "Agent",
    either(
      shape({
        status: oneOf("completed"),
        prompt: isString,
        agentId: isString,
        content: listOf(isTextBlock),
        totalDurationMs: isNumber,
        totalTokens: isNumber,
        totalToolUseCount: isNumber,
      }),
      shape({ status: oneOf("async_launched"), agentId: isString }),
    ),
  ],
  [
    "WebFetch",
    shape({ bytes: isNumber, code: isNumber, codeText: isString, result: isString, url: isString }),
  ],
  [
    "WebSearch",
    shape({
      query: isString,
      results: listOf(
        either(
          isString,
          shape({ tool_use_id: isString, content: listOf(shape({ title: isString, url: isString })) }),
        ),
      ),
    }),
  ],
]);

const isMcpOutput = either(isString, listOf(either(isTextBlock, isImageBlock)));

/** True if the client would take `output` as the result of `tool`. Tools without a schema here take any object. */
export function acceptsOutput(tool: string, output: unknown): boolean {
  if (tool.startsWith("mcp__")) return isMcpOutput(output);
  return (CHECKS.get(tool) ?? shape({}))(output);
}

// SPDX-License-Identifier: Apache-2.0
// Answers of APIs: JSON documents.
import { isoTime, type JsonShape, logText, moduleName, sentence } from "../shape.ts";

function listOf(key: string, rest: object = {}): (items: readonly string[]) => string {
  return (items) => {
    const others = Object.entries(rest).map(
      ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},`,
    );
    return `{${others.join("")}${JSON.stringify(key)}:[${items.join(",")}]}`;
  };
}

const bare = (items: readonly string[]): string => `[${items.join(", ")}]`;

export const ANSWERS: readonly JsonShape[] = [
  {
    name: "GitHub issues",
    tool: "mcp__github__list_issues",
    values: ["open", "closed"],
    item: (r, i, { id, value }) => ({
      number: i,
      node_id: `I_${r.hex(12)}`,
      state: value,
      title: sentence(r),
      sha: id,
      comments_url: "https://api.example.org/c",
      body: `${sentence(r)}. `.repeat(3),
    }),
    failing: (r, i, clue) => ({
      number: i,
      state: "open",
      title: sentence(r),
      error: { code: "rate", message: `no access to ${clue}` },
    }),
    logging: (r, i, clue) => ({
      number: i,
      state: "open",
      title: sentence(r),
      check: { output: logText(r, 600, `ERROR: cannot open ${clue}`) },
    }),
    wrap: bare,
  },
  {
    name: "GitHub workflow jobs",
    tool: "mcp__github__list_jobs",
    values: ["success", "skipped"],
    item: (r, i, { id, value }) => ({
      id: i,
      run_id: id,
      name: moduleName(r),
      status: "completed",
      conclusion: value,
      started_at: isoTime(i),
      steps: [{ name: "build", conclusion: "success" }],
    }),
    failing: (_, i, clue) => ({ id: i, name: `test ${clue}`, status: "completed", conclusion: "failure" }),
    logging: (r, i, clue) => ({
      id: i,
      name: moduleName(r),
      conclusion: "success",
      log: logText(r, 600, `##[error]Process completed with exit code 1 (${clue})`),
    }),
    wrap: listOf("jobs", { total_count: 120 }),
  },
  {
    name: "Jira search",
    tool: "mcp__atlassian__search",
    values: ["To Do", "In Progress", "Done"],
    item: (r, i, { id, value }) => ({
      key: `APP-${i}`,
      self: "https://jira.example.org/x",
      id,
      fields: { summary: sentence(r), status: { name: value }, updated: isoTime(i) },
    }),
    failing: (_, i, clue) => ({
      key: `APP-${i}`,
      errorMessages: [`Issue ${clue} does not exist or you do not have permission to see it.`],
    }),
    logging: (r, i, clue) => ({
      key: `APP-${i}`,
      fields: {
        summary: sentence(r),
        log: logText(r, 600, `java.lang.IllegalStateException: ${clue}`),
      },
    }),
    wrap: listOf("issues", { startAt: 0, total: 400 }),
  },
  {
    name: "Kubernetes pod list",
    tool: "mcp__kubernetes__get",
    values: ["Running", "Succeeded"],
    item: (r, i, { id, value }) => ({
      metadata: { name: `${moduleName(r)}-${i}`, uid: id },
      status: {
        phase: value,
        containerStatuses: [{ ready: true, restartCount: 0, state: { running: { startedAt: isoTime(i) } } }],
      },
    }),
    failing: (_, i, clue) => ({
      metadata: { name: `order-${i}` },
      status: {
        phase: "Running",
        containerStatuses: [
          {
            ready: false,
            state: { waiting: { reason: "CrashLoopBackOff", message: `back-off of ${clue}` } },
          },
        ],
      },
    }),
    logging: (r, i, clue) => ({
      metadata: { name: `order-${i}` },
      status: {
        phase: "Running",
        containerStatuses: [
          {
            ready: true,
            lastState: { terminated: { exitCode: 2, message: logText(r, 600, `panic: no order ${clue}`) } },
          },
        ],
      },
    }),
    wrap: listOf("items", { apiVersion: "v1", kind: "List" }),
  },
  {
    name: "log search",
    tool: "mcp__logs__search",
    values: ["INFO", "DEBUG", "INFO"],
    item: (r, i, { id, value }) => ({
      timestamp: isoTime(i),
      level: value,
      service: moduleName(r),
      trace: id,
      message: sentence(r),
    }),
    failing: (r, i, clue) => ({
      timestamp: isoTime(i),
      level: "ERROR",
      service: moduleName(r),
      message: `no order ${clue}`,
    }),
    logging: (r, i, clue) => ({
      timestamp: isoTime(i),
      level: "INFO",
      message: logText(r, 600, `FATAL: no order ${clue}`),
    }),
    wrap: listOf("hits", { took: 12, timed_out: false }),
  },
  {
    name: "Sentry events",
    tool: "mcp__sentry__list_events",
    values: ["handled", "ignored"],
    item: (r, i, { id, value }) => ({
      eventID: id,
      dateCreated: isoTime(i),
      mechanism: value,
      culprit: moduleName(r),
      tags: [{ key: "release", value: "1.4" }],
    }),
    failing: (_, i, clue) => ({ eventID: `e${i}`, level: "fatal", title: `TypeError: ${clue} is undefined` }),
    logging: (r, i, clue) => ({
      eventID: `e${i}`,
      stack: logText(r, 600, `TypeError: ${clue} is not a function`),
    }),
    wrap: bare,
  },
  {
    name: "HTTP checks",
    tool: "mcp__monitor__checks",
    values: ["up", "up", "paused"],
    item: (r, i, { id, value }) => ({
      check: i,
      url: `https://${moduleName(r)}.example.org`,
      key: id,
      state: value,
      statusCode: 200,
      ms: r.int(900),
    }),
    failing: (_, i, clue) => ({ check: i, url: `https://${clue}.example.org`, statusCode: 503, ms: 30_000 }),
    logging: (r, i, clue) => ({
      check: i,
      statusCode: 200,
      output: logText(r, 600, `error: certificate of ${clue} has expired`),
    }),
    wrap: listOf("checks"),
  },
  {
    name: "GraphQL connection",
    tool: "mcp__graph__query",
    values: ["ACTIVE", "ARCHIVED"],
    item: (r, i, { id, value }) => ({ cursor: id, node: { id: i, name: moduleName(r), status: value } }),
    failing: (_, i, clue) => ({
      cursor: `c${i}`,
      node: null,
      errors: [{ message: `Field ${clue} is not defined`, path: ["edges", i] }],
    }),
    logging: (r, i, clue) => ({
      cursor: `c${i}`,
      node: { id: i, output: logText(r, 600, `Error: no such field ${clue}`) },
    }),
    wrap: (items) => `{"data":{"edges":{"edges":[${items.join(",")}],"pageInfo":{"hasNextPage":false}}}}`,
  },
  {
    name: "test report",
    tool: "mcp__ci__test_report",
    values: ["passed", "passed", "skipped"],
    item: (r, i, { id, value }) => ({
      name: `${sentence(r)} ${i}`,
      file: id,
      status: value,
      duration: r.int(900),
    }),
    failing: (r, i, clue) => ({ name: `${sentence(r)} ${i}`, status: "failed", message: `expected ${clue}` }),
    logging: (r, i, clue) => ({
      name: `case ${i}`,
      status: "passed",
      stdout: logText(r, 600, `AssertionError: expected ${clue}`),
    }),
    wrap: listOf("tests", { total: 400 }),
  },
  {
    name: "deployments, indented",
    tool: "mcp__cloud__deployments",
    values: ["SUCCEEDED", "READY"],
    item: (r, i, { id, value }) => ({
      id: i,
      target: moduleName(r),
      revision: id,
      status: value,
      created: isoTime(i),
    }),
    failing: (_, i, clue) => ({ id: i, status: "FAILED", statusReason: `quota of ${clue} is used up` }),
    logging: (r, i, clue) => ({
      id: i,
      status: "SUCCEEDED",
      buildLog: logText(r, 600, `ERROR: failed to solve: ${clue} not found`),
    }),
    wrap: (items) => JSON.stringify(JSON.parse(`{"deployments":[${items.join(",")}]}`), null, 2),
  },
];

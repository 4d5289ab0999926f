// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from "vitest";
import { isFailingItem } from "../../../src/core/json/failures.ts";
import { createKeyTable } from "../../../src/core/json/key-table.ts";
import { scanText } from "./support.ts";

const FAILING = [
  '{"error":"boom"}',
  '{"error":true}',
  '{"error":{"code":1}}',
  '{"errors":[1]}',
  '{"err\\u006fr":"boom"}',
  '{"id":1,"failed":3}',
  '{"failed":true}',
  '{"failures":["a"]}',
  '{"success":false}',
  '{"ok":false}',
  '{"passed":"false"}',
  '{"isError":true}',
  '{"timed_out":true}',
  '{"status":"failed"}',
  '{"status":"FAILURE"}',
  '{"status":" Error "}',
  '{"status":500}',
  '{"status":"503"}',
  '{"StackStatus":"x","state":"UPDATE_ROLLBACK_FAILED"}',
  '{"conclusion":"timed_out"}',
  '{"conclusion":"cancelled"}',
  '{"reason":"FailedMount"}',
  '{"reason":"CrashLoopBackOff"}',
  '{"reason":"OOMKilled"}',
  '{"reason":"BackOff"}',
  '{"health":"unhealthy"}',
  '{"severity":"CRITICAL"}',
  '{"level":"error"}',
  '{"level":"fatal"}',
  '{"level":50}',
  '{"level":60}',
  '{"exit_code":1}',
  '{"exitCode":"127"}',
  '{"returncode":-9}',
  '{"statusCode":502}',
  // One level down, whatever the name there.
  '{"response":{"statusCode":500}}',
  '{"name":"pod","status":{"phase":"Failed"}}',
  // Deeper, where it is a status.
  '{"status":{"containerStatuses":[{"ready":false,"state":{"waiting":{"reason":"CrashLoopBackOff"}}}]}}',
  '{"steps":[{"name":"a","conclusion":"success"},{"name":"b","conclusion":"failure"}]}',
  '{"a":[[{"exitCode":2}]]}',
  '{"a":{},"b":[],"c":{"d":{"e":{"f":{"g":{"h":{"status":"failed"}}}}}}}',
  '{"key":"APP-1","errorMessages":["no such issue"]}',
  '{"stack_trace":"at f"}',
  '{"buildLog":"step 1\\nERROR: failed to solve"}',
  '{"kind":"print","message":"== EXCEPTION CAUGHT BY THE TEST FRAMEWORK"}',
  '{"msg":"db: connection refused"}',
  '{"stderr":"all well\\nfatal: not a repository"}',
  '"ERROR: disk full"',
  '"all well\\nFATAL: disk full"',
];
const PASSING = [
  '{"message":"0 errors, all tests passed"}',
  '{"message":"improve the start page"}',
  '{"message":3,"msg":true,"log":{}}',
  // Deeper, and no status: about a part.
  '{"a":{"b":{"error":"x","success":false,"message":"ERROR: x"}}}',
  '{"properties":[{"error":{"type":"string"}}]}',
  '{"errorMessages":[]}',
  // Beyond eight objects in one another.
  '{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"status":"failed"}}}}}}}}}',
  '{"vector":[1,[{"status":"failed"}]]}',
  '{"error":null}',
  '{"error":false}',
  '{"error":""}',
  '{"error":0}',
  '{"error":0.0}',
  '{"error":-0}',
  '{"error":[]}',
  '{"error":{}}',
  '{"error":"none"}',
  '{"error":"None"}',
  '{"errors":"0"}',
  '{"error":"n/a"}',
  '{"failed":0}',
  '{"failed":false}',
  '{"success":true}',
  '{"ok":1}',
  '{"successful":0}',
  '{"isError":false}',
  '{"status":"ok"}',
  '{"status":"completed"}',
  '{"status":200}',
  '{"status":"404"}',
  '{"status":600}',
  '{"status":"0 errors"}',
  '{"status":"no failures"}',
  '{"status":"without errors"}',
  '{"level":"info"}',
  '{"level":30}',
  '{"level":55}',
  '{"severity":"low"}',
  '{"exit_code":0}',
  '{"exit_code":"0"}',
  '{"exit_code":null}',
  '{"statusCode":201}',
  '{"errors_url":"https://example.org/errors"}',
  '{"title":"an error occurred in the log"}',
  // Two levels down is another item's matter.
  '{"a":{"b":{"error":"boom"}}}',
  '{"a":[{"error":"boom"}]}',
  "{}",
  "[]",
  '[{"error":"boom"}]',
  "500",
  "null",
  '"all well"',
  '"0 errors"',
  '""',
];

describe("isFailingItem", () => {
  it.each(FAILING)("C9: %s", (text) => {
    expect(isFailingItem(scanText(text), 0)).toBe(true);
  });
  it.each(PASSING)("C9: not %s", (text) => {
    expect(isFailingItem(scanText(text), 0)).toBe(false);
  });
  it("does not judge by members that are dropped", () => {
    const keys = createKeyTable((name) => name === "meta" || name === "error");
    const judged = [
      '{"error":1,"meta":{"failed":1}}',
      '{"failed":{"meta":1}}',
      '{"a":{"error":1}}',
      '{"meta":1,"status":"failed"}',
    ];
    expect(judged.map((text) => isFailingItem(scanText(text), 0, keys))).toEqual([false, false, false, true]);
  });
});

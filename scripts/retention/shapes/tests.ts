// SPDX-License-Identifier: Apache-2.0
// Output of test runners.
import { moduleName, path, sentence, type TextShape } from "../shape.ts";

const tool = "Bash";

export const TEST_RUNNERS: readonly TextShape[] = [
  {
    name: "pytest",
    tool,
    head: [
      "============================= test session starts ==============================",
      "platform linux -- Python 3.12.4, pytest-8.2.0",
      "collected 1208 items",
      "",
    ],
    values: ["PASSED", "PASSED", "PASSED", "SKIPPED"],
    line: (r, i, { id, value }) =>
      `tests/test_${moduleName(r)}.py::test_${i}[${id}] ${value.padEnd(40)} [${String(i % 100).padStart(3)}%]`,
    error: (_, clue) => `E       AssertionError: assert 'open' == '${clue}'`,
    block: (r, clue) => [
      `______________________ test_${r.int(900)} ______________________`,
      "",
      `    def test_case():`,
      `>       assert total == expected`,
      `E       AssertionError: ${clue} is not in the list`,
      "",
      `tests/test_${moduleName(r)}.py:${r.int(400)}: AssertionError`,
    ],
    tail: (_, lines) => [
      `=================== 1 failed, ${lines} passed, 12 skipped in 48.21s ====================`,
    ],
  },
  {
    name: "jest",
    tool,
    values: ["ms", "ms", "s"],
    line: (r, _, { id, value }) => `    ✓ ${sentence(r)} #${id} (${r.int(90)} ${value})`,
    error: (_, clue) => `    ✕ keeps the order ${clue} (18 ms)`,
    block: (r, clue) => [
      `  ● ${moduleName(r)} › ${sentence(r)}`,
      "",
      `    expect(received).toBe(expected) // Object.is equality`,
      "",
      `    Expected: "${clue}"`,
      `    Received: "open"`,
      "",
      `      at Object.<anonymous> (${path(r, "test.ts")}:${r.int(300)}:7)`,
    ],
    tail: (_, lines) => [
      "Test Suites: 1 failed, 61 passed, 62 total",
      `Tests:       1 failed, ${lines} passed, ${lines + 1} total`,
      "Snapshots:   0 total",
      "Time:        31.4 s",
    ],
  },
  {
    name: "vitest",
    tool,
    values: ["ms"],
    line: (r, _, { id, value }) => ` ✓ ${path(r, "test.ts")} > ${sentence(r)} > ${id} ${r.int(80)}${value}`,
    error: (r, clue) => ` × ${path(r, "test.ts")} > ${sentence(r)} > ${clue} ${r.int(80)}ms`,
    block: (r, clue) => [
      ` FAIL  ${path(r, "test.ts")} > ${sentence(r)}`,
      `AssertionError: expected '${clue}' to be 'open' // Object.is equality`,
      "",
      ` ❯ ${path(r, "test.ts")}:${r.int(300)}:21`,
    ],
    tail: (_, lines) => [
      " Test Files  1 failed | 40 passed (41)",
      `      Tests  1 failed | ${lines} passed (${lines + 1})`,
    ],
  },
  {
    name: "mocha",
    tool,
    values: ["ms"],
    line: (r, _, { id, value }) => `    ✔ ${sentence(r)} (${id}) (${r.int(200)}${value})`,
    error: (_, clue) => `    1) keeps the session of ${clue}`,
    block: (r, clue) => [
      `  1) ${moduleName(r)}`,
      `       ${sentence(r)}:`,
      "",
      `      AssertionError [ERR_ASSERTION]: ${clue} == 4`,
      `      + expected - actual`,
      "",
      `      at Context.<anonymous> (${path(r, "spec.js")}:${r.int(300)}:14)`,
    ],
    tail: (_, lines) => [`  ${lines} passing (12s)`, "  1 failing"],
  },
  {
    name: "go test -v",
    tool,
    values: ["s"],
    line: (r, i, { id, value }) =>
      i % 2 === 0
        ? `=== RUN   Test${i}/${id}_${moduleName(r)}`
        : `--- PASS: Test${i}/${id} (${r.fraction(2, 2)}${value})`,
    error: (_, clue) => `--- FAIL: TestOrder/${clue} (0.02s)`,
    block: (r, clue) => [
      `=== RUN   Test${r.int(900)}`,
      `    ${moduleName(r)}_test.go:${r.int(300)}: got 3, want ${clue}`,
      `--- FAIL: Test${r.int(900)} (0.00s)`,
    ],
    tail: () => ["FAIL", "FAIL\texample.org/app/ledger\t4.213s", "FAIL"],
  },
  {
    name: "cargo test",
    tool,
    head: ["running 1204 tests"],
    values: ["ok", "ok", "ok", "ignored"],
    line: (r, i, { id, value }) => `test ${moduleName(r).replace("-", "::")}::case_${i}_${id} ... ${value}`,
    error: (_, clue) => `test ledger::order_${clue} ... FAILED`,
    block: (r, clue) => [
      `---- ${moduleName(r)}::case stdout ----`,
      `thread 'ledger::case' panicked at src/ledger.rs:${r.int(300)}:9:`,
      `assertion \`left == right\` failed: ${clue}`,
      "  left: 3",
      " right: 4",
    ],
    tail: (_, lines) => [
      `test result: FAILED. ${lines} passed; 1 failed; 3 ignored; 0 measured; 0 filtered out; finished in 2.31s`,
    ],
  },
  {
    name: "maven surefire",
    tool,
    values: ["s", "s"],
    line: (r, i, { id, value }) =>
      `[INFO] Tests run: ${1 + r.int(40)}, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: ${r.fraction(3, 3)} ${value} -- in org.example.Case${i}${id}Test`,
    error: (r, clue) =>
      `[ERROR] Tests run: 9, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: ${r.fraction(3, 3)} s <<< FAILURE! -- in org.example.${clue}Test`,
    block: (r, clue) => [
      `[ERROR] org.example.OrderTest.keepsOrder -- Time elapsed: 0.01 s <<< FAILURE!`,
      `org.opentest4j.AssertionFailedError: expected: <${clue}> but was: <open>`,
      `\tat org.junit.jupiter.api.AssertEquals.fail(AssertEquals.java:182)`,
      `\tat org.example.OrderTest.keepsOrder(OrderTest.java:${r.int(300)})`,
    ],
    tail: () => [
      "[INFO] ------------------------------------------------------------------------",
      "[INFO] BUILD FAILURE",
      "[INFO] Total time:  01:12 min",
    ],
  },
  {
    name: "rspec",
    tool,
    values: ["seconds"],
    line: (r, _, { id, value }) => `  ${sentence(r)} ${id} (${r.fraction(1, 4)} ${value})`,
    error: (_, clue) => `  keeps the order of ${clue} (FAILED - 1)`,
    block: (r, clue) => [
      `  1) Order keeps the session`,
      `     Failure/Error: expect(order.state).to eq("open")`,
      "",
      `       expected: "open"`,
      `            got: "${clue}"`,
      "",
      `     # ./spec/order_spec.rb:${r.int(300)}:in 'block (3 levels) in <top (required)>'`,
    ],
    tail: (_, lines) => [`${lines} examples, 1 failure, 4 pending`],
  },
  {
    name: "phpunit",
    tool,
    values: ["OK"],
    line: (r, i, { id, value }) => ` ✔ ${sentence(r)} with data set #${i} (${id}) ${value}`,
    error: (_, clue) => ` ✘ Keeps order with data set ${clue}`,
    block: (r, clue) => [
      `1) Tests\\OrderTest::testOrder with data set #${r.int(90)}`,
      `Failed asserting that two strings are equal: ${clue}`,
      "",
      `/app/tests/OrderTest.php:${r.int(300)}`,
    ],
    tail: () => ["FAILURES!", "Tests: 900, Assertions: 2411, Failures: 1."],
  },
  {
    name: "dotnet test",
    tool,
    values: ["ms"],
    line: (r, i, { id, value }) => `  Passed App.Tests.Case${i}.Keeps(${id}) [${r.int(90)} ${value}]`,
    error: (_, clue) => `  Failed App.Tests.Order.Keeps(${clue}) [12 ms]`,
    block: (r, clue) => [
      `  Failed App.Tests.Order.Keeps [3 ms]`,
      `  Error Message:`,
      `   Assert.Equal() Failure: Values differ: ${clue}`,
      `  Stack Trace:`,
      `     at App.Tests.Order.Keeps() in /src/OrderTests.cs:line ${r.int(300)}`,
    ],
    tail: (_, lines) => [
      `Failed!  - Failed:     1, Passed:  ${lines}, Skipped:     0, Total:  ${lines + 1}, Duration: 14 s - App.Tests.dll (net8.0)`,
    ],
  },
  {
    name: "TAP",
    tool,
    head: ["TAP version 13", "1..1200"],
    values: ["#", "#", "# SKIP"],
    line: (r, i, { id, value }) => `ok ${i + 1} - ${sentence(r)} ${value} ${id}`,
    error: (r, clue) => `not ok ${r.int(900)} - keeps the order of ${clue}`,
    block: (r, clue) => [
      `not ok ${r.int(900)} - ${sentence(r)}`,
      "  ---",
      `  message: 'expected ${clue}'`,
      "  severity: fail",
      "  ...",
    ],
  },
  {
    name: "ctest",
    tool,
    values: ["Passed"],
    line: (_, i, { id, value }) =>
      `${String(i + 1).padStart(4)}/1204 Test #${i + 1}: case_${id} ......................   ${value}    ${((i % 50) / 10).toFixed(2)} sec`,
    error: (r, clue) =>
      ` ${r.int(900)}/1204 Test #77: case_${clue} ......................***Failed    0.31 sec`,
    block: (r, clue) => [
      `${r.int(900)}/1204 Test #78: case_order ......................Subprocess aborted***Exception:   0.11 sec`,
      `terminate called after throwing an instance of 'std::runtime_error'`,
      `  what():  ${clue} is not in the list`,
    ],
    tail: () => ["99% tests passed, 1 tests failed out of 1204", "Errors while running CTest"],
  },
];

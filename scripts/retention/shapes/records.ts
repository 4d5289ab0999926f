// SPDX-License-Identifier: Apache-2.0
// Output of databases, and logs with stack traces; lines that are JSON and lines that are long.
import { clock, isoTime, moduleName, path, sentence, type TextShape } from "../shape.ts";

const tool = "Bash";

export const RECORDS: readonly TextShape[] = [
  {
    name: "psql table",
    tool,
    head: [
      "  id  |         name         |   state   |   key    ",
      "------+----------------------+-----------+----------",
    ],
    values: ["open", "closed", "open"],
    line: (r, i, { id, value }) =>
      ` ${String(i).padStart(4)} | ${moduleName(r).padEnd(20)} | ${value.padEnd(9)} | ${id}`,
    error: (_, clue) => `psql:import.sql:77: ERROR:  relation "${clue}" does not exist`,
    block: (r, clue) => [
      `ERROR:  duplicate key value violates unique constraint "order_pkey"`,
      `DETAIL:  Key (id)=(${clue}) already exists.`,
      `LINE ${r.int(90)}: INSERT INTO orders`,
    ],
    tail: (_, lines) => [`(${lines} rows)`],
  },
  {
    name: "mysql table",
    tool,
    head: [
      "+------+----------------------+-----------+",
      "| id   | name                 | state     |",
      "+------+----------------------+-----------+",
    ],
    values: ["paid", "sent", "paid"],
    line: (r, i, { id, value }) =>
      `| ${String(i).padStart(4)} | ${moduleName(r).padEnd(20)} | ${value.padEnd(9)} | ${id} |`,
    error: (r, clue) => `ERROR 1146 (42S02) at line ${r.int(900)}: Table 'app.${clue}' doesn't exist`,
    block: (r, clue) => [
      `ERROR 1062 (23000) at line ${r.int(900)}: Duplicate entry '${clue}' for key 'orders.PRIMARY'`,
    ],
  },
  {
    name: "postgres server log",
    tool,
    values: ["duration", "statement", "checkpoint"],
    line: (r, i, { id, value }) =>
      `2026-11-30 ${clock(i)}.001 UTC [${r.int(9999)}] LOG:  ${value}: ${r.fraction(90, 3)} ms  session ${id}`,
    error: (r, clue) => `2026-11-30 ${clock(r.int(999))}.001 UTC [77] ERROR:  deadlock detected on ${clue}`,
    block: (r, clue) => [
      `2026-11-30 10:00:01.001 UTC [${r.int(9999)}] FATAL:  could not open file "${clue}": No such file or directory`,
      "2026-11-30 10:00:01.002 UTC [1] LOG:  database system is shut down",
    ],
  },
  {
    name: "database migrations",
    tool,
    values: ["migrated", "migrated", "reverted"],
    line: (r, i, { id, value }) =>
      `== ${20260000000000 + i} ${moduleName(r)}${id}: ${value} (${r.fraction(3, 4)}s) ===`,
    error: (_, clue) => `PG::UndefinedColumn: ERROR:  column "${clue}" does not exist`,
    block: (r, clue) => [
      "StandardError: An error has occurred, this and all later migrations canceled:",
      "",
      `PG::DuplicateTable: ERROR:  relation "${clue}" already exists`,
      `/app/db/migrate/${r.int(900)}_order.rb:4:in 'change'`,
    ],
  },
  {
    name: "redis monitor",
    tool,
    values: ["GET", "SET", "EXPIRE"],
    line: (r, i, { id, value }) =>
      `${1_790_000_000 + i}.${String(r.int(999_999)).padStart(6, "0")} [0 127.0.0.1:${r.int(60000)}] "${value}" "${moduleName(r)}:${id}"`,
    error: (_, clue) => `(error) WRONGTYPE Operation against a key holding the wrong kind of value: ${clue}`,
    block: (_, clue) => [
      `(error) MISCONF Redis is configured to save RDB snapshots, but it is currently not able to persist on disk: ${clue}`,
    ],
  },
  {
    name: "log with Python tracebacks",
    tool,
    values: ["INFO", "INFO", "DEBUG"],
    line: (r, i, { id, value }) =>
      `2026-11-30 ${clock(i)},${String(i % 1000).padStart(3, "0")} ${value} app.${moduleName(r)} request=${id} took ${r.int(900)} ms`,
    error: (r, clue) => `2026-11-30 ${clock(r.int(999))},001 ERROR app.ledger cannot read ${clue}`,
    block: (r, clue) => [
      "Traceback (most recent call last):",
      ...Array.from({ length: 12 }, (_, i) => [
        `  File "/app/${moduleName(r)}.py", line ${i + 7}, in call`,
        "    return step(order)",
      ]).flat(),
      `KeyError: '${clue}'`,
    ],
  },
  {
    name: "log with Java traces",
    tool,
    values: ["INFO ", "INFO ", "DEBUG"],
    line: (r, i, { id, value }) =>
      `${isoTime(i)} ${value} [http-${r.int(20)}] o.e.${moduleName(r)} : request ${id} done in ${r.int(900)} ms`,
    error: (r, clue) => `${isoTime(r.int(999))} ERROR [http-3] o.e.Ledger : cannot open ${clue}`,
    block: (r, clue) => [
      "java.lang.IllegalStateException: cannot commit",
      ...Array.from(
        { length: 15 },
        (_, i) => `\tat org.example.${moduleName(r).replace("-", ".")}.call(Call.java:${i + 3})`,
      ),
      `Caused by: java.sql.SQLException: no column ${clue}`,
      "\tat org.example.db.Query.run(Query.java:77)",
      "\t... 31 more",
    ],
  },
  {
    name: "log with Node traces",
    tool,
    values: ["info", "http", "debug"],
    line: (r, i, { id, value }) => `[${isoTime(i)}] ${value}: ${moduleName(r)} ${id} ${r.int(900)}ms`,
    error: (r, clue) => `[${isoTime(r.int(999))}] error: cannot render ${clue}`,
    block: (r, clue) => [
      `TypeError: Cannot read properties of undefined (reading '${clue}')`,
      ...Array.from(
        { length: 8 },
        () => `    at ${moduleName(r).replace("-", ".")} (/app/${path(r, "js")}:${r.int(400)}:${r.int(80)})`,
      ),
      "",
      "Node.js v22.11.0",
    ],
  },
  {
    name: "log with Go panics",
    tool,
    values: ["info", "debug"],
    line: (r, i, { id, value }) =>
      `time="${isoTime(i)}" level=${value} msg="${sentence(r)}" id=${id} took=${r.int(90)}ms`,
    error: (r, clue) => `time="${isoTime(r.int(999))}" level=error msg="cannot open" file=${clue}`,
    block: (r, clue) => [
      `panic: runtime error: index out of range [7] with length ${clue}`,
      "",
      "goroutine 1 [running]:",
      `main.order(0x${r.hex(8)}, 0x3)`,
      `\t/app/ledger.go:${r.int(400)} +0x1d`,
      "main.main()",
      "\t/app/main.go:12 +0x20",
      "exit status 2",
    ],
  },
  {
    name: "log with Rust panics",
    tool,
    values: ["INFO", "DEBUG"],
    line: (r, i, { id, value }) => `${isoTime(i)}  ${value} app::${moduleName(r)}: ${sentence(r)} id=${id}`,
    error: (r, clue) => `${isoTime(r.int(999))} ERROR app::ledger: no order ${clue}`,
    block: (r, clue) => [
      `thread 'main' panicked at src/ledger.rs:${r.int(400)}:17:`,
      `called \`Result::unwrap()\` on an \`Err\` value: ${clue}`,
      "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace",
    ],
  },
  {
    name: "log with .NET exceptions",
    tool,
    values: ["info", "dbug"],
    line: (r, i, { id, value }) =>
      `${value}: App.${moduleName(r)}[${i}] request ${id} finished in ${r.fraction(90, 4)}ms - 200`,
    error: (_, clue) => `fail: App.Ledger[0] cannot open ${clue}`,
    block: (r, clue) => [
      `Unhandled exception. System.InvalidOperationException: no order ${clue}`,
      `   at App.Ledger.Open(String id) in /src/Ledger.cs:line ${r.int(400)}`,
      "   at App.Program.Main() in /src/Program.cs:line 9",
    ],
  },
  {
    name: "JSON log lines",
    tool,
    values: ["info", "info", "debug"],
    line: (r, i, { id, value }) =>
      JSON.stringify({ time: isoTime(i), level: value, msg: sentence(r), id, ms: r.int(900) }),
    error: (r, clue) =>
      JSON.stringify({ time: isoTime(r.int(999)), level: "error", msg: "cannot open the order", id: clue }),
    block: (r, clue) => [
      JSON.stringify({
        time: isoTime(r.int(999)),
        level: "info",
        msg: "request done",
        status: 500,
        err: { type: "TypeError", message: `${clue} is not a function` },
      }),
    ],
  },
  {
    name: "long lines",
    tool,
    maxLines: 200,
    values: ["done", "kept"],
    line: (r, i, { id, value }) =>
      `${isoTime(i)} batch ${i}: ${Array.from({ length: 40 }, () => `${moduleName(r)}=${r.hex(12)}`).join(" ")} ${id} ${value} ${Array.from({ length: 20 }, () => r.hex(20)).join(",")}`,
    error: (r, clue) =>
      `${isoTime(1)} batch 7: ${Array.from({ length: 40 }, () => `${moduleName(r)}=${r.hex(12)}`).join(" ")} ERROR: no order ${clue} ${Array.from({ length: 60 }, () => r.hex(20)).join(",")}`,
    block: (r, clue) => [
      `${isoTime(1)} batch 7 failed: ${clue} ${Array.from({ length: 90 }, () => r.hex(20)).join(",")}`,
    ],
  },
];

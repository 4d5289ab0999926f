// SPDX-License-Identifier: Apache-2.0
// Output of CI, containers, cloud command lines and systems.
import { clock, isoTime, moduleName, path, sentence, type TextShape } from "../shape.ts";

const tool = "Bash";

export const OPERATIONS: readonly TextShape[] = [
  {
    name: "GitHub Actions log",
    tool,
    values: ["ok", "cached"],
    line: (r, i, { id, value }) =>
      `build\tUNKNOWN STEP\t${isoTime(i)} step ${i} ${moduleName(r)} ${id}: ${value}`,
    error: (r, clue) =>
      `build\tUNKNOWN STEP\t${isoTime(r.int(999))} ##[error]Process completed with exit code 1: ${clue}`,
    block: (r, clue) => [
      `build\tTest\t${isoTime(1)} FAIL ${path(r, "test.ts")}`,
      `build\tTest\t${isoTime(2)}   ● order › keeps ${clue}`,
      `build\tTest\t${isoTime(3)} ##[error]1 test failed: ${clue}`,
    ],
  },
  {
    name: "GitLab runner log",
    tool,
    values: ["done", "skipped"],
    line: (r, i, { id, value }) =>
      `\x1b[0Ksection_start:${1_790_000_000 + i}:step_${id}\x1b[0K$ run ${moduleName(r)} ${value}`,
    error: (_, clue) => `\x1b[31;1mERROR: Job failed: exit code 1 (${clue})\x1b[0;m`,
    block: (r, clue) => [
      `\x1b[32;1m$ make ${moduleName(r)}\x1b[0;m`,
      `make: *** No rule to make target '${clue}'.  Stop.`,
      "\x1b[0Ksection_end:1790000000:script",
    ],
  },
  {
    name: "Jenkins console",
    tool,
    values: ["true", "unstable"],
    line: (r, i, { id, value }) =>
      `[${clock(i)}] [Pipeline] sh: ${moduleName(r)} build ${id} stable=${value}`,
    error: (_, clue) => `ERROR: script returned exit code 2 in stage ${clue}`,
    block: (_, clue) => [
      "hudson.AbortException: script returned exit code 1",
      `\tat org.jenkinsci.plugins.workflow.steps.${clue}.run(Step.java:77)`,
      "Finished: FAILURE",
    ],
  },
  {
    name: "docker build",
    tool,
    values: ["CACHED", "DONE"],
    line: (r, i, { id, value }) =>
      `#${i % 40} ${r.fraction(90, 3)} ${value} sha256:${id} ${moduleName(r)} ${r.int(90)}.${r.int(9)}MB`,
    error: (r, clue) => `#${r.int(40)} ERROR: failed to compute cache key: "/${clue}": not found`,
    block: (r, clue) => [
      "------",
      ` > [builder ${r.int(9)}/9] RUN make ${clue}:`,
      `${r.fraction(9, 3)} /bin/sh: 1: ${clue}: not found`,
      "------",
      `ERROR: failed to solve: process "/bin/sh -c make ${clue}" did not complete successfully: exit code: 127`,
    ],
  },
  {
    name: "docker compose logs",
    tool,
    values: ["200", "200", "204", "301"],
    line: (r, i, { id, value }) =>
      `web-1  | ${isoTime(i)} GET /${moduleName(r)}/${id} ${value} ${r.int(400)}ms`,
    error: (r, clue) =>
      `db-1   | ${isoTime(r.int(999))} FATAL:  password authentication failed for user "${clue}"`,
    block: (r, clue) => [
      `web-1  | ${isoTime(1)} Unhandled rejection`,
      `web-1  | Error: connect ECONNREFUSED ${clue}:5432`,
      `web-1  |     at TCPConnectWrap.afterConnect (node:net:${r.int(900)}:16)`,
    ],
  },
  {
    name: "kubectl get pods",
    tool,
    head: ["NAMESPACE   NAME                                READY   STATUS    RESTARTS   AGE"],
    values: ["Running", "Running", "Completed"],
    line: (r, i, { id, value }) =>
      `team-${i % 9}      ${moduleName(r)}-${id}-${r.hex(5)}    1/1     ${value.padEnd(9)} ${r.int(3)}          ${r.int(90)}d`,
    error: (r, clue) =>
      `team-4      ledger-${clue}-${r.hex(5)}    0/1     CrashLoopBackOff   ${r.int(90)}         3h`,
    block: (r, clue) => [
      `team-4      order-${clue}-${r.hex(5)}    0/1     ImagePullBackOff   0          3h`,
      `team-4      order-${r.hex(8)}-${r.hex(5)}    0/1     ErrImagePull   0          3h`,
    ],
  },
  {
    name: "kubectl events",
    tool,
    head: ["LAST SEEN   TYPE      REASON      OBJECT      MESSAGE"],
    values: ["Scheduled", "Pulled", "Created", "Started"],
    line: (r, i, { id, value }) =>
      `${i % 59}m         Normal    ${value}   pod/${moduleName(r)}-${id}   Successfully assigned to node-${r.int(30)}`,
    error: (_, clue) => `3m          Warning   Failed      pod/ledger-${clue}   Error: ImagePullBackOff`,
    block: (r, clue) => [
      `2m          Warning   FailedMount   pod/order-${r.hex(5)}   MountVolume.SetUp failed for volume "${clue}" : secret "${clue}" not found`,
    ],
  },
  {
    name: "klog",
    tool,
    values: ["sync", "update", "delete"],
    line: (r, i, { id, value }) =>
      `I1130 ${clock(i)}.${String(i % 1000).padStart(6, "0")}       1 ${moduleName(r)}.go:${r.int(900)}] "Finished ${value}" key="${id}" duration="${r.int(90)}ms"`,
    error: (r, clue) =>
      `E1130 ${clock(r.int(999))}.000001       1 reflector.go:147] "Unhandled" object="${clue}"`,
    block: (r, clue) => [
      `E1130 ${clock(5)}.000001       1 controller.go:${r.int(900)}] "Observed a panic" panic="runtime error: ${clue}"`,
      "goroutine 77 [running]:",
      "k8s.io/apimachinery/pkg/util/runtime.logPanic()",
      "\t/go/runtime.go:75 +0x85",
    ],
  },
  {
    name: "terraform apply",
    tool,
    values: ["Refreshing state...", "Creation complete", "Modifications complete"],
    line: (r, i, { id, value }) => `aws_instance.${moduleName(r)}[${i}]: ${value} [id=${id}]`,
    error: (_, clue) => `│ Error: creating EC2 Instance: InvalidParameterValue: ${clue}`,
    block: (r, clue) => [
      "╷",
      `│ Error: Reference to undeclared resource`,
      "│ ",
      `│   on main.tf line ${r.int(400)}, in resource "aws_instance" "order":`,
      `│   77:   subnet = aws_subnet.${clue}.id`,
      "╵",
    ],
  },
  {
    name: "aws s3 sync",
    tool,
    values: ["upload:", "copy:", "delete:"],
    line: (r, i, { id, value }) =>
      `${value} ./${path(r, "dat")} to s3://bucket-${i % 9}/${id}/${moduleName(r)}.dat`,
    error: (_, clue) =>
      `upload failed: ./data/${clue}.dat to s3://bucket/x An error occurred (AccessDenied) when calling the PutObject operation`,
    block: (_, clue) => [
      "fatal error: An error occurred (NoSuchBucket) when calling the ListObjectsV2 operation:",
      `The specified bucket does not exist: fatal error for ${clue}`,
    ],
  },
  {
    name: "ansible-playbook",
    tool,
    values: ["ok", "ok", "changed", "skipping"],
    line: (r, i, { id, value }) =>
      i % 6 === 0 ? `TASK [${moduleName(r)} : ${sentence(r)}] ****` : `${value}: [host-${id}]`,
    error: (_, clue) =>
      `fatal: [host-${clue}]: UNREACHABLE! => {"changed": false, "msg": "Failed to connect to the host via ssh", "unreachable": true}`,
    block: (r, clue) => [
      `TASK [${moduleName(r)}] ****`,
      `fatal: [host-7]: FAILED! => {"changed": true, "cmd": ["${clue}"], "rc": 127, "stderr": "not found"}`,
    ],
    tail: () => [
      "PLAY RECAP ****",
      "host-1                     : ok=21   changed=3    unreachable=0    failed=0    skipped=2    rescued=0    ignored=0",
    ],
  },
  {
    name: "CloudFormation events",
    tool,
    values: ["CREATE_COMPLETE", "CREATE_IN_PROGRESS", "UPDATE_COMPLETE"],
    line: (r, i, { id, value }) =>
      `${clock(i)} | ${value.padEnd(20)} | AWS::Lambda::Function | ${moduleName(r)}${id}`,
    error: (r, clue) => `${clock(r.int(999))} | CREATE_FAILED        | AWS::IAM::Role        | Role${clue}`,
    block: (_, clue) => [
      `10:00:01 | UPDATE_FAILED        | AWS::RDS::DBInstance  | Db${clue}`,
      `Resource handler returned message: "Cannot upgrade" (${clue})`,
      "10:00:09 | UPDATE_ROLLBACK_IN_PROGRESS | AWS::CloudFormation::Stack | app",
    ],
  },
  {
    name: "journald",
    tool,
    values: ["info", "notice", "debug"],
    line: (r, i, { id, value }) =>
      `Nov 30 ${clock(i)} host ${moduleName(r)}[${r.int(9999)}]: <${value}> request ${id} took ${r.int(900)} ms`,
    error: (r, clue) =>
      `Nov 30 ${clock(r.int(999))} host systemd[1]: ${clue}.service: Main process exited, code=exited, status=1/FAILURE`,
    block: (r, clue) => [
      `Nov 30 10:00:01 host kernel: Out of memory: Killed process ${r.int(9999)} (${clue}) total-vm:8123kB`,
      `Nov 30 10:00:02 host systemd[1]: ${clue}.service: Failed with result 'oom-kill'.`,
    ],
  },
  {
    name: "nginx access log",
    tool,
    values: ["200", "200", "200", "304", "404"],
    line: (r, i, { id, value }) =>
      `10.0.${i % 250}.${r.int(250)} - - [30/Nov/2026:${clock(i)} +0000] "GET /${moduleName(r)}/${id} HTTP/1.1" ${value} ${r.int(9000)} "-" "curl/8.5"`,
    error: (r, clue) =>
      `10.0.0.1 - - [30/Nov/2026:${clock(r.int(999))} +0000] "GET /order/${clue} HTTP/1.1" 502 157 "-" "curl/8.5"`,
    block: (r, clue) => [
      `2026/11/30 10:00:01 [error] ${r.int(99)}#0: *77 upstream timed out (110: Connection timed out) while connecting to upstream, request: "GET /${clue} HTTP/1.1"`,
    ],
  },
];

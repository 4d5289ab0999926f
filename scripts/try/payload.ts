// SPDX-License-Identifier: Apache-2.0
// Prints what an issue tracker's tool would return: 40 issues, one of them a failing build in the middle.
import { githubIssues } from "../payloads.ts";

const COUNT = 40;
const FAILING = 22;

console.log(JSON.stringify(githubIssues(COUNT, FAILING)));

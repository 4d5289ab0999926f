// SPDX-License-Identifier: Apache-2.0
import type { Shape } from "../shape.ts";
import { ANSWERS } from "./answers.ts";
import { BUILDS } from "./builds.ts";
import { OPERATIONS } from "./operations.ts";
import { PACKAGE_MANAGERS } from "./packages.ts";
import { RECORDS } from "./records.ts";
import { TEST_RUNNERS } from "./tests.ts";

export const SHAPES: readonly Shape[] = [
  ...TEST_RUNNERS,
  ...BUILDS,
  ...PACKAGE_MANAGERS,
  ...OPERATIONS,
  ...RECORDS,
  ...ANSWERS,
];

// SPDX-License-Identifier: Apache-2.0
import type { Env } from "../env.ts";
import type { Io } from "../io.ts";

export async function run(_args: { readonly json: boolean }, _env: Env, _io: Io): Promise<number> {
  return 0;
}

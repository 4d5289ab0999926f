// SPDX-License-Identifier: Apache-2.0

/** True if version `N.N.N` is `oldest` or later. */
export function isAtLeast(version: string, oldest: string): boolean {
  const [have, need] = [version, oldest].map((text) => text.split(".").map(Number));
  for (let at = 0; at < 3; at++) {
    const difference = (have?.[at] ?? 0) - (need?.[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

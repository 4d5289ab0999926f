// SPDX-License-Identifier: Apache-2.0
// JSON pointers (RFC 6901) as text.

/** One step of a pointer, its slash first: "a/b" → "/a~1b". */
export function pointerStep(name: string | number): string {
  return `/${String(name).replace(/~/g, "~0").replace(/\//g, "~1")}`;
}

/** The names a pointer steps through, or undefined if the text is no pointer. The root is "". */
export function parsePointer(pointer: string): string[] | undefined {
  if (pointer === "") return [];
  if (!pointer.startsWith("/") || /~(?![01])/.test(pointer)) return undefined;
  return pointer
    .slice(1)
    .split("/")
    .map((step) => step.replace(/~1/g, "/").replace(/~0/g, "~"));
}

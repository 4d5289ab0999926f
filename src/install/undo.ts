// SPDX-License-Identifier: Apache-2.0

/** Steps that take back what was done, the last first. */
export class Undo {
  #steps: (() => void)[] = [];

  add(step: () => void): void {
    this.#steps.push(step);
  }

  /** Takes all back. A step that fails does not stop the others; answers whether all went well. */
  run(): boolean {
    let isWhole = true;
    for (const step of this.#steps.splice(0).reverse()) {
      try {
        step();
      } catch {
        isWhole = false;
      }
    }
    return isWhole;
  }
}

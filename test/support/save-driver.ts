// SPDX-License-Identifier: Apache-2.0
// Saves COUNT texts, some of them again and again, and prints `id seed` of each: node save-driver.ts DIR NAME COUNT.
import { makeText, openTempStore } from "./temp-store.ts";

const [dir = "", name = "", count = "0"] = process.argv.slice(2);
const store = openTempStore(dir);
for (let i = 0; i < Number(count); i++) {
  // Every third text is the same for all processes.
  const seed = i % 3 === 0 ? `shared ${i % 9}` : `${name} ${i}`;
  process.stdout.write(`${store.save(makeText(seed), { tool: "Bash", kind: "text" })} ${seed}\n`);
}

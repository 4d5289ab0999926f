// SPDX-License-Identifier: Apache-2.0
import { type Command, Option } from "commander";
import { KEY_KINDS, type KeyKind } from "../core/rules/settings.ts";
import type { JsonOption, Shell } from "./shell.ts";

interface PurgeChoice extends JsonOption {
  readonly expired?: boolean;
  readonly all?: boolean;
  readonly everything?: boolean;
  readonly dryRun?: boolean;
}

/** `store list`, `show`, `purge` and `key`: what is kept of originals. */
export function addStore(program: Command, shell: Shell): void {
  const { env, io, done } = shell;
  const store = program.command("store").description("what is kept of originals: list, show, purge, key");
  store
    .command("list")
    .description("every stored original, newest first")
    .option("--json", "answer as JSON")
    .action(async ({ json = false }: JsonOption) => {
      done((await import("../commands/store/list.ts")).run({ json }, env, io));
    });
  store
    .command("show")
    .description("what is known of one original, without its text")
    .argument("<id>", "the id of a marker, or its first 8 digits or more")
    .option("--json", "answer as JSON")
    .action(async (id: string, { json = false }: JsonOption) => {
      done((await import("../commands/store/show.ts")).run({ id, json }, env, io));
    });
  store
    .command("purge")
    .description("remove originals, or all that isthmos keeps")
    .argument("[ids...]", "these originals")
    .option("--expired", "originals past their time to live")
    .option("--all", "all originals, what was revealed, and references")
    .option("--everything", "all of that, the log, the health record and the key")
    .option("--dry-run", "say what would go, remove nothing")
    .option("--json", "answer as JSON")
    .action(async (ids: string[], options: PurgeChoice, command: Command) => {
      const { dryRun = false, json = false } = options;
      const what = choosePurge(ids, options, command);
      done((await import("../commands/store/purge.ts")).run({ what, dryRun, json }, env, io));
    });
  addKey(store, shell);
}

function addKey(store: Command, { env, io, done }: Shell): void {
  const key = store.command("key").description("the key that originals are sealed under");
  key
    .command("rotate")
    .description("make a new key and seal every original anew; markers keep working")
    .option("--json", "answer as JSON")
    .action(async ({ json = false }: JsonOption) => {
      done((await import("../commands/store/key.ts")).run({ json }, env, io));
    });
  key
    .command("move")
    .description("make a new key in another place and seal every original anew")
    .addOption(
      new Option("--to <place>", "where the new key is kept").choices(KEY_KINDS).makeOptionMandatory(),
    )
    .option("--json", "answer as JSON")
    .action(async ({ to, json = false }: JsonOption & { readonly to: KeyKind }) => {
      done((await import("../commands/store/key.ts")).run({ to, json }, env, io));
    });
}

function choosePurge(ids: readonly string[], options: PurgeChoice, command: Command) {
  const words = (["everything", "all", "expired"] as const).filter((word) => options[word]);
  const [word] = words;
  if (ids.length > 0 && word === undefined) return { ids };
  if (ids.length > 0 || words.length > 1)
    command.error("error: give ids, --expired, --all or --everything, one of them");
  if (word === undefined)
    command.error("error: what to remove is missing: ids, --expired, --all or --everything");
  return word;
}

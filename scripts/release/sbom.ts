// SPDX-License-Identifier: Apache-2.0
// The list of what is inside: npm's CycloneDX list of everything installed, restricted to the packages of which the
// bundler read a file, plus the Node.js that each executable is made of.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../build/project.ts";
import { runNpm } from "./npm.ts";
import type { BasePackage } from "./targets.ts";

/** The part of a CycloneDX document that is looked at; the rest is carried along. */
export interface Sbom {
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
  readonly metadata: { readonly component: { readonly "bom-ref": string; readonly name: string } };
}

interface Component {
  readonly "bom-ref": string;
  readonly name: string;
  readonly version: string;
  readonly properties?: readonly { readonly name: string }[];
  readonly externalReferences?: readonly { readonly type: string }[];
}

/** `name@version` of each package that one of `files` (relative to the repository) belongs to. */
export function listPackages(files: readonly string[]): Set<string> {
  const folders = files.flatMap((file) => {
    const [folder] = /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? [];
    return folder === undefined ? [] : [folder];
  });
  return new Set([...new Set(folders)].map(readIdentity));
}

function readIdentity(folder: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"));
  if (typeof manifest === "object" && manifest !== null && "name" in manifest && "version" in manifest) {
    return `${manifest.name}@${manifest.version}`;
  }
  throw new Error(`${folder}/package.json has no name or no version`);
}

/** `all` without the components that `packages` (name@version) does not name, and with the `bases`. */
export function restrictSbom(all: Sbom, packages: ReadonlySet<string>, bases: readonly BasePackage[]): Sbom {
  const bundled = all.components.filter(({ name, version }) => packages.has(`${name}@${version}`));
  const missing = [...packages].filter((id) =>
    bundled.every(({ name, version }) => `${name}@${version}` !== id),
  );
  if (missing.length > 0) throw new Error(`npm sbom does not know ${missing.join(", ")}: run npm ci`);
  const nodes = bases.map(describeBase);
  const refs = [...bundled, ...nodes].map((component) => component["bom-ref"]);
  const root = all.metadata.component["bom-ref"];
  const between = all.dependencies.filter(({ ref }) => ref !== root && refs.includes(ref));
  // npm names the root after the folder it lies in.
  const component = { ...all.metadata.component, name: "isthmos", type: "application" };
  return {
    ...all,
    metadata: { ...all.metadata, component },
    components: [...bundled.map(withoutMachine), ...nodes],
    dependencies: [
      { ref: root, dependsOn: refs },
      ...between.map(({ ref, dependsOn }) => ({
        ref,
        dependsOn: dependsOn.filter((on) => refs.includes(on)),
      })),
      ...nodes.map((node) => ({ ref: node["bom-ref"], dependsOn: [] })),
    ],
  };
}

// Bundled packages are development dependencies, and where they were fetched from is this machine's affair.
function withoutMachine(component: Component): Component {
  const { properties, externalReferences = [], ...rest } = component;
  return { ...rest, externalReferences: externalReferences.filter(({ type }) => type !== "distribution") };
}

function describeBase({ name, version, integrity }: BasePackage) {
  return {
    "bom-ref": `${name}@${version}`,
    type: "application",
    name,
    version,
    description: "the Node.js binary that the executable is made of",
    purl: `pkg:npm/${name}@${version}`,
    hashes: [{ alg: "SHA-512", content: Buffer.from(integrity.slice(7), "base64").toString("hex") }],
    licenses: [{ license: { id: "MIT" } }],
  };
}

/** The release's list as JSON text; `files` are those that the bundler read. */
export function makeSbom(files: readonly string[], bases: readonly BasePackage[]): string {
  const all: unknown = JSON.parse(runNpm(["sbom", "--sbom-format", "cyclonedx"], ROOT));
  if (!isSbom(all)) throw new Error("npm sbom answered no CycloneDX document: update npm");
  return `${JSON.stringify(restrictSbom(all, listPackages(files), bases), null, 2)}\n`;
}

function isSbom(value: unknown): value is Sbom {
  if (typeof value !== "object" || value === null) return false;
  return "components" in value && "dependencies" in value && "metadata" in value;
}

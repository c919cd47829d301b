import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { Code } from "aws-cdk-lib/aws-lambda";
import type { Metafile } from "esbuild";
import type { BundlingOptions } from "../lambda/function-options.ts";
import { build } from "./esbuild.ts";

/** Within the project, where nothing that is kept is disturbed. */
const cache = join("node_modules", ".cache", "escapement");

/** What one bundle is made of. */
export interface BundleEntry {
  /** A source file, or the text of one in TypeScript. */
  readonly source: { readonly file: string } | { readonly text: string };
  readonly options: Required<BundlingOptions>;
  /**
   * What stands for a global name in the sources: JSON texts. Only what they use, since the short names in a minified
   * bundle depend on all of it.
   */
  readonly define: Readonly<Record<string, string>>;
  /**
   * Bundles with the same words here are one asset, in which they share what they have in common.
   *
   * @default - an asset of its own, which no other bundle can change
   */
  readonly sharedBy?: string;
}

/** A bundle as a function takes it. */
export interface Bundle {
  readonly code: Code;
  readonly handler: string;
}

/**
 * Source files bundled for Lambda, all that have the same options and definitions in one build. A bundle brings everything that it
 * imports, the AWS SDK too, so that what was tested is what runs.
 */
export class Bundles {
  readonly #directory: string;
  readonly #bundles = new Map<string, Bundle>();

  /**
   * @param entries by the bundle's name
   * @throws SynthError naming file and line of each error
   */
  constructor(entries: Readonly<Record<string, BundleEntry>>) {
    mkdirSync(cache, { recursive: true });
    this.#directory = mkdtempSync(join(cache, "bundle-"));
    try {
      for (const [index, batch] of batchesOf(entries).entries()) this.#build(`build-${index}`, batch);
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  of(name: string): Bundle {
    return this.#bundles.get(name) as Bundle;
  }

  /** Removes the files, when each bundle is in the cloud assembly. */
  dispose(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #build(id: string, entries: ReadonlyMap<string, BundleEntry>): void {
    const outdir = join(this.#directory, id);
    const files = Object.fromEntries([...entries].map(([name, { source }]) => [name, this.#fileOf(name, source)]));
    const [{ options, define, sharedBy }] = [...entries.values()] as [BundleEntry];
    const outputs = build({ files, outdir, options, define, splitting: sharedBy !== undefined });
    const shared = new Map<string, Set<string>>();
    for (const [name, entry] of entries) {
      const asset = join(this.#directory, `${id}-${entry.sharedBy}`);
      const own = entry.sharedBy === undefined;
      const [folder, handler] = own ? [join(outdir, name), "index.handler"] : [asset, `${name}/index.handler`];
      this.#bundles.set(name, { code: Code.fromAsset(folder), handler });
      if (!own) shared.set(asset, (shared.get(asset) ?? new Set()).add(join(outdir, name, "index.mjs")));
    }
    for (const [asset, files] of shared) copyWithImports(files, outputs, outdir, asset);
  }

  #fileOf(name: string, source: BundleEntry["source"]): string {
    if ("file" in source) return resolve(source.file);
    const file = join(this.#directory, `${name}.ts`);
    writeFileSync(file, source.text);
    return resolve(file);
  }
}

/** Entries that one build can make: with the same options and definitions, and all of them sharing or none. */
function batchesOf(entries: Readonly<Record<string, BundleEntry>>): Map<string, BundleEntry>[] {
  const batches = new Map<string, Map<string, BundleEntry>>();
  for (const [name, entry] of Object.entries(entries)) {
    const key = JSON.stringify([entry.options, entry.define, entry.sharedBy !== undefined]);
    batches.set(key, (batches.get(key) ?? new Map()).set(name, entry));
  }
  return [...batches.values()];
}

/** Copies bundles and the shared files that they need, with their maps. */
function copyWithImports(files: ReadonlySet<string>, outputs: Metafile["outputs"], from: string, to: string): void {
  const needed = new Set(files);
  for (const path of needed) {
    for (const { path: imported, external } of outputs[path]?.imports ?? []) if (!external) needed.add(imported);
  }
  for (const path of needed) {
    const target = join(to, relative(from, path));
    mkdirSync(dirname(target), { recursive: true });
    for (const end of ["", ".map"]) cpSync(`${path}${end}`, `${target}${end}`);
  }
}

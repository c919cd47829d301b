import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Code } from "aws-cdk-lib/aws-lambda";
import type { BundlingOptions } from "../lambda/function-options.ts";
import { build, type Output } from "./esbuild.ts";

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
    const write = writerOf(outputs);
    const codes = new Map<string, Code>();
    for (const [name, { sharedBy }] of entries) {
      const base = join(outdir, sharedBy ?? "");
      write(join(name, "index.mjs"), base);
      const [asset, handler] =
        sharedBy === undefined ? [join(base, name), "index.handler"] : [base, `${name}/index.handler`];
      const code = codes.get(asset) ?? Code.fromAsset(asset);
      codes.set(asset, code);
      this.#bundles.set(name, { code, handler });
    }
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

/** Writes an output, and those that it needs, once into each folder. */
function writerOf(outputs: ReadonlyMap<string, Output>): (path: string, folder: string) => void {
  const written = new Set<string>();
  return function write(path, folder) {
    const file = join(folder, path);
    if (written.has(file)) return;
    written.add(file);
    const { contents, needs } = outputs.get(path) as Output;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, contents);
    for (const needed of needs) write(needed, folder);
  };
}

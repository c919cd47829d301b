import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { Code } from "aws-cdk-lib/aws-lambda";
import { type BuildFailure, buildSync, formatMessagesSync } from "esbuild";
import type { BundlingOptions } from "../lambda/function-options.ts";
import { inheritedConditions } from "./conditions.ts";
import { SynthError } from "./errors.ts";

/** A bundle may hold CommonJS packages that call `require`, which an ES module does not have. */
const requireBanner =
  'import { createRequire as createBundleRequire } from "node:module"; const require = createBundleRequire(import.meta.url);';

/** esbuild holds the bundles of one build in memory: a megabyte for each, with its map. */
const batchSize = 100;

/** Within the project, where nothing that is kept is disturbed. */
const cache = join("node_modules", ".cache", "escapement");

/** What one bundle is made of. */
export interface BundleEntry {
  /** A source file, or the text of one in TypeScript. */
  readonly source: { readonly file: string } | { readonly text: string };
  readonly options: Required<BundlingOptions>;
}

/**
 * Source files bundled for Lambda, all that share their options in one build. Each bundle is a minified ES module with a source map; it brings
 * everything that it imports, the AWS SDK too, so that what was tested is what runs.
 */
export class Bundles {
  readonly #directory: string;

  /**
   * @param entries by the bundle's name
   * @param define what stands for a global name in the sources: JSON texts
   * @throws SynthError naming file and line of each error
   */
  constructor(entries: Readonly<Record<string, BundleEntry>>, define: Readonly<Record<string, string>>) {
    mkdirSync(cache, { recursive: true });
    this.#directory = mkdtempSync(join(cache, "bundle-"));
    try {
      for (const batch of batchesOf(entries)) this.#build(batch, define);
      for (const name of Object.keys(entries)) this.#nameSourcesFromProject(name);
    } catch (error) {
      this.dispose();
      throw isBuildFailure(error) ? new SynthError(describe(error)) : error;
    }
  }

  /** A bundle as the code of a function whose handler is `index.handler`. */
  code(name: string): Code {
    return Code.fromAsset(join(this.#directory, name));
  }

  /** Removes the files, when each bundle is in the cloud assembly. */
  dispose(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #build(batch: readonly (readonly [string, BundleEntry])[], define: Readonly<Record<string, string>>): void {
    const [, { options }] = batch[0] as readonly [string, BundleEntry];
    buildSync({
      entryPoints: batch.map(([name, { source }]) => ({ in: this.#fileOf(name, source), out: join(name, "index") })),
      outdir: this.#directory,
      outExtension: { ".js": ".mjs" },
      bundle: true,
      platform: "node",
      format: "esm",
      // Lambda runs Node 24; the local runner runs the same bundles on the developer's own.
      target: "node20",
      conditions: [...inheritedConditions(), "module"],
      // The ES modules of the AWS SDK make a third of its CommonJS size disappear.
      mainFields: ["module", "main"],
      banner: { js: requireBanner },
      define,
      external: [...options.external],
      loader: options.loader,
      minify: true,
      // Node shows the line that threw: of a program on one line that would be all of it.
      lineLimit: 200,
      // Errors are recorded under the names of their classes.
      keepNames: true,
      sourcemap: true,
      sourcesContent: false,
      logLevel: "silent",
    });
  }

  #fileOf(name: string, source: BundleEntry["source"]): string {
    if ("file" in source) return resolve(source.file);
    const file = join(this.#directory, `${name}.ts`);
    writeFileSync(file, source.text);
    return resolve(file);
  }

  /** Where a bundle runs, its sources are not: a stack trace names them as they are found from the project's folder. */
  #nameSourcesFromProject(name: string): void {
    const mapFile = join(this.#directory, name, "index.mjs.map");
    const map: { sources: string[] } = JSON.parse(readFileSync(mapFile, "utf8"));
    map.sources = map.sources.map((source) => {
      // Sources that are no files, such as a define, have names in brackets.
      if (source.startsWith("<")) return source;
      const path = resolve(dirname(mapFile), source);
      return dirname(path) === resolve(this.#directory) ? `<${name}>` : relative(".", path);
    });
    writeFileSync(mapFile, JSON.stringify(map));
  }
}

/** Entries with the same options, so many of them that esbuild can hold their bundles in memory. */
function batchesOf(entries: Readonly<Record<string, BundleEntry>>): (readonly [string, BundleEntry])[][] {
  const byOptions = new Map<string, (readonly [string, BundleEntry])[][]>();
  for (const entry of Object.entries(entries)) {
    const key = JSON.stringify(entry[1].options);
    const batches = byOptions.get(key) ?? [];
    const last = batches.at(-1);
    if (last && last.length < batchSize) last.push(entry);
    else byOptions.set(key, [...batches, [entry]]);
  }
  return [...byOptions.values()].flat();
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && "errors" in error;
}

function describe(failure: BuildFailure): string {
  return formatMessagesSync(failure.errors, { kind: "error", color: false }).join("").trim();
}

import { dirname, join, relative, resolve } from "node:path";
import { type BuildFailure, buildSync, formatMessagesSync } from "esbuild";
import type { BundlingOptions } from "../lambda/function-options.ts";
import { inheritedConditions } from "./conditions.ts";
import { SynthError } from "./errors.ts";

/** A bundle may hold CommonJS packages that use what an ES module does not have. */
const commonJsBanner = [
  'import { createRequire as createBundleRequire } from "node:module"; const require = createBundleRequire(import.meta.url);',
  "const __filename = import.meta.filename, __dirname = import.meta.dirname;",
].join(" ");

interface Build {
  /** Source files by the name of their bundle, which becomes `<outdir>/<name>/index.mjs`. */
  readonly files: Readonly<Record<string, string>>;
  /** Where the outputs will be. Nothing is written. */
  readonly outdir: string;
  readonly options: Required<BundlingOptions>;
  /** What stands for a global name in the sources: JSON texts. */
  readonly define: Readonly<Record<string, string>>;
  /** Whether what several bundles have in common goes into files that they share. */
  readonly splitting: boolean;
}

/** One built file. */
export interface Output {
  readonly contents: Uint8Array | string;
  /** The paths of the outputs that have to be with it: its source map, and what it imports. */
  readonly needs: readonly string[];
}

/**
 * Builds minified ES modules with source maps, which run on every Node that Lambda and this package know.
 *
 * @returns by path within the `outdir`
 * @throws SynthError naming file and line of each error
 */
export function build({ files, outdir, options, define, splitting }: Build): Map<string, Output> {
  try {
    const { metafile, outputFiles } = buildSync({
      entryPoints: Object.entries(files).map(([name, file]) => ({ in: file, out: join(name, "index") })),
      outdir,
      write: false,
      outExtension: { ".js": ".mjs" },
      bundle: true,
      splitting,
      platform: "node",
      format: "esm",
      // Lambda runs Node 24; the local runner runs the same bundles on the developer's own.
      target: "node20",
      conditions: [...inheritedConditions(), "module"],
      // The ES modules of the AWS SDK make a third of its CommonJS size disappear.
      mainFields: ["module", "main"],
      banner: { js: commonJsBanner },
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
      metafile: true,
      logLevel: "silent",
    });
    return new Map<string, Output>(
      outputFiles.map(({ path, contents, text }) => {
        if (path.endsWith(".map"))
          return [relative(outdir, path), { contents: fromProject(path, text, outdir), needs: [] }];
        const { imports = [] } = metafile.outputs[relative(".", path)] ?? {};
        const needs = [...imports.filter(({ external }) => !external).map((one) => resolve(one.path)), `${path}.map`];
        return [relative(outdir, path), { contents, needs: needs.map((file) => relative(outdir, file)) }];
      }),
    );
  } catch (error) {
    throw isBuildFailure(error) ? new SynthError(describe(error)) : error;
  }
}

/** Where a bundle runs, its sources are not: a stack trace names them as they are found from the project's folder. */
function fromProject(path: string, text: string, outdir: string): string {
  const map: { sources: string[] } = JSON.parse(text);
  map.sources = map.sources.map((source) => {
    // Sources that are no files, such as a define, have names in brackets.
    if (source.startsWith("<")) return source;
    const named = relative(".", resolve(dirname(path), source));
    // Text of ours, written beside the bundles.
    return named.startsWith(dirname(outdir)) ? "<escapement>" : named;
  });
  return JSON.stringify(map);
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && "errors" in error;
}

function describe(failure: BuildFailure): string {
  return formatMessagesSync(failure.errors, { kind: "error", color: false }).join("").trim();
}

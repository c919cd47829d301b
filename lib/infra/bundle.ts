import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { Code } from "aws-cdk-lib/aws-lambda";
import { type BuildFailure, buildSync, formatMessagesSync } from "esbuild";
import { inheritedConditions } from "./conditions.ts";
import { SynthError } from "./errors.ts";

/** A bundle may hold CommonJS packages that call `require`, which an ES module does not have. */
const requireBanner =
  'import { createRequire as createBundleRequire } from "node:module"; const require = createBundleRequire(import.meta.url);';

/** Within the project, where nothing that is kept is disturbed. */
const cache = join("node_modules", ".cache", "escapement");

/**
 * Source files bundled for Lambda, all in one build. Each bundle is a minified ES module with a source map; it brings
 * everything that it imports, the AWS SDK too, so that what was tested is what runs.
 */
export class Bundles {
  readonly #directory: string;

  /**
   * @param entries the source file of each bundle, by the bundle's name
   * @param define what stands for a global name in the sources: JSON texts
   * @throws SynthError naming file and line of each error
   */
  constructor(entries: Readonly<Record<string, string>>, define: Readonly<Record<string, string>>) {
    mkdirSync(cache, { recursive: true });
    this.#directory = mkdtempSync(join(cache, "bundle-"));
    try {
      buildSync({
        entryPoints: Object.entries(entries).map(([name, file]) => ({ in: resolve(file), out: join(name, "index") })),
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
        minify: true,
        // Node shows the line that threw: of a program on one line that would be all of it.
        lineLimit: 200,
        // Errors are recorded under the names of their classes.
        keepNames: true,
        sourcemap: true,
        sourcesContent: false,
        logLevel: "silent",
      });
      for (const name of Object.keys(entries)) nameSourcesFromProject(join(this.#directory, name, "index.mjs.map"));
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
}

/** Where a bundle runs, its sources are not: a stack trace names them as they are found from the project's folder. */
function nameSourcesFromProject(mapFile: string): void {
  const map: { sources: string[] } = JSON.parse(readFileSync(mapFile, "utf8"));
  map.sources = map.sources.map((source) =>
    // Sources that are no files, such as a define, have names in brackets.
    source.startsWith("<") ? source : relative(".", resolve(dirname(mapFile), source)),
  );
  writeFileSync(mapFile, JSON.stringify(map));
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && "errors" in error;
}

function describe(failure: BuildFailure): string {
  return formatMessagesSync(failure.errors, { kind: "error", color: false }).join("").trim();
}

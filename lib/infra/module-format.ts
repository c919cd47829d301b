import { existsSync, readFileSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { SynthError } from "./errors.ts";

/**
 * Job files are ES modules, as is this package's own entry point that they import. Whether Node takes a .ts or .js file
 * for one, the nearest package.json says (https://nodejs.org/api/packages.html#type); a .mts or .mjs file is always one.
 *
 * @throws SynthError naming the first file that is CommonJS, the package.json that makes it so, and what to write
 */
export function requireEsModules(directory: string, names: readonly string[]): void {
  const file = names.find((name) => [".ts", ".js"].includes(extname(name)));
  if (!file) return;
  const packageFile = nearestPackageFile(resolve(directory));
  if (packageFile && typeIn(packageFile) === "module") return;
  const cause = packageFile ? `${packageFile} does not say "type": "module"` : "there is no package.json above it";
  throw new SynthError(
    `${join(directory, file)} is read as CommonJS, because ${cause}. A job file has to be an ES module: write "type": "module" into package.json. Where the rest of the project has to stay CommonJS, write { "type": "module" } into ${join(directory, "package.json")}.`,
  );
}

function nearestPackageFile(folder: string): string | undefined {
  const file = join(folder, "package.json");
  if (existsSync(file)) return file;
  return dirname(folder) === folder ? undefined : nearestPackageFile(dirname(folder));
}

function typeIn(packageFile: string): unknown {
  try {
    return JSON.parse(readFileSync(packageFile, "utf8")).type;
  } catch (error) {
    throw new SynthError(`${packageFile} cannot be read: ${(error as Error).message}`);
  }
}

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { OperationError } from "../../operations/errors.ts";

/**
 * Writes all of the files, or none where one of them is there already.
 *
 * @param files by their paths in the folder
 * @throws OperationError `INVALID_INPUT` naming those that are there
 */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  const there = Object.keys(files).filter((path) => existsSync(join(folder, path)));
  if (there.length > 0) {
    throw new OperationError("INVALID_INPUT", `${there.join(", ")} in ${folder}: there already; nothing was written`);
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { flag: "wx" });
  }
}

const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** @throws OperationError `INVALID_INPUT` */
export function checkName(what: string, name: string): void {
  if (NAME.test(name)) return;
  throw new OperationError(
    "INVALID_INPUT",
    `${JSON.stringify(name)} is no name for a ${what}: 1 to 64 small letters, digits and "-" are, the first no "-"`,
  );
}

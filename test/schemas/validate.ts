import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

const SCHEMAS_DIR = join(import.meta.dirname, "../../docs/schemas");
const ajv = new Ajv2020({ allErrors: true });
const known = new Map<string, ValidateFunction>();

/** @throws Error where a command has printed something else than the one document of its schema */
export function checkDocument(command: string, stdout: string): void {
  const validate = known.get(command) ?? compile(command);
  known.set(command, validate);
  if (validate(JSON.parse(stdout))) return;
  throw new Error(`${command} --json is not as its schema says: ${ajv.errorsText(validate.errors)}\n${stdout}`);
}

function compile(command: string): ValidateFunction {
  const file = join(SCHEMAS_DIR, `${command}.json`);
  if (!existsSync(file)) throw new Error(`${command} --json has no schema: ${file}`);
  return ajv.compile(JSON.parse(readFileSync(file, "utf8")));
}

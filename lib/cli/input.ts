import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { OperationError } from "../operations/errors.ts";
import { parseJson } from "../operations/json-text.ts";

/** Reads the JSON of `--input`: the text itself, `@file`, or `-` for standard input. */
export async function readInput(argument: string): Promise<unknown> {
  const [source, json] = await sourceAndText(argument);
  return parseJson(json, source);
}

async function sourceAndText(argument: string): Promise<[string, string]> {
  if (argument === "-") return ["the input on stdin", await text(process.stdin)];
  if (!argument.startsWith("@")) return ["--input", argument];
  const file = argument.slice(1);
  try {
    return [`the file ${file}`, readFileSync(file, "utf8")];
  } catch (error) {
    throw new OperationError("INVALID_INPUT", `--input ${argument} cannot be read: ${(error as Error).message}`);
  }
}

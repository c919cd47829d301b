import { readFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { OperationError } from "../operations/errors.ts";
import { parseJson } from "../operations/json-text.ts";

/** Reads the JSON of `--input`: the text itself, `@file`, or `-` for standard input. */
export async function readInput(argument: string): Promise<unknown> {
  const [source, json] = await sourceAndText(argument);
  return parseJson(json, source);
}

async function sourceAndText(argument: string): Promise<[string, string]> {
  if (argument === "-") return asText("the input on stdin", await buffer(process.stdin));
  if (!argument.startsWith("@")) return ["--input", argument];
  const file = argument.slice(1);
  return asText(`the file ${file}`, readBytes(file));
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new OperationError("INVALID_INPUT", `--input @${file} cannot be read: ${(error as Error).message}`);
  }
}

/** A byte order mark, which some editors write, goes. */
function asText(source: string, bytes: Buffer): [string, string] {
  try {
    return [source, new TextDecoder("utf-8", { fatal: true }).decode(bytes)];
  } catch {
    const line = bytes.subarray(0, validBytes(bytes)).toString().split("\n").length;
    throw new OperationError("INVALID_INPUT", `${source} is no UTF-8 from line ${line} on: give JSON in UTF-8`);
  }
}

/** How many bytes there are before the first one that is no UTF-8. */
function validBytes(bytes: Buffer): number {
  const same = Buffer.from(bytes.toString());
  const at = bytes.findIndex((byte, index) => byte !== same[index]);
  return at === -1 ? bytes.length : at;
}

import { type Command, InvalidArgumentError } from "commander";

export interface CommonOptions {
  stateDir: string;
  json?: true;
}

export const DEFAULT_STATE_DIR = ".escapement";

export function addCommonOptions(command: Command): Command {
  return command
    .option("--state-dir <dir>", "where the local runner keeps its state", DEFAULT_STATE_DIR)
    .option("--json", "print one JSON document on stdout and nothing else");
}

/** A parser for commander: a whole number from 1 to `max`. */
export function wholeNumber(max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < 1 || value > max) {
      throw new InvalidArgumentError(`A whole number from 1 to ${max} is allowed.`);
    }
    return value;
  };
}

import { type Command, InvalidArgumentError, Option } from "commander";

export interface CommonOptions {
  stateDir: string;
  stack?: string;
  region?: string;
  profile?: string;
  json?: true;
  /** The runner's clock, in its own process. */
  nowMs?: () => number;
}

/** Of a command that acts in somebody's name. */
export interface WhoOptions {
  by?: string;
}

/** Of a command that asks before it acts. */
export interface YesOptions {
  yes?: true;
}

export const DEFAULT_STATE_DIR = ".escapement";

export function addCommonOptions(command: Command): Command {
  return command
    .option("--state-dir <dir>", "where the local runner keeps its state", DEFAULT_STATE_DIR)
    .option("--stack <name>", "act on this deployed stack instead of the local runner")
    .option("--region <region>", "the stack's AWS Region (default: your profile's)")
    .option("--profile <name>", "the AWS profile to act with")
    .option("--json", "print one JSON document on stdout and nothing else");
}

export function addWho(command: Command): Command {
  return command.option("--by <name>", "who asks (default: your name on this machine, or your AWS identity)");
}

export function addYes(command: Command): Command {
  return command.option("--yes", "do it without asking");
}

/** An option that takes one of these. What it does not take the operation itself refuses, with the likely one. */
export function oneOf(flags: string, description: string, choices: readonly string[]): Option {
  const option = new Option(flags, description);
  option.argChoices = [...choices];
  return option;
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

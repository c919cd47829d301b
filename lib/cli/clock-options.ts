import { type Command, InvalidArgumentError } from "commander";
import { OperationError } from "../operations/errors.ts";
import { parseInstant } from "../operations/instants.ts";

const MAX_SPEED = 10_000;

/** The options that set the runner's clock. */
export function addClockOptions(command: Command): void {
  command
    .option("--now <instant>", "begin at this time, ISO 8601 with Z or an offset (default: the machine's)", instant)
    .option("--speed <times>", "let time pass this much faster while no handler is at work, such as 60x", speed);
}

function instant(text: string): number {
  try {
    return parseInstant("it", text);
  } catch (error) {
    if (error instanceof OperationError) throw new InvalidArgumentError(error.message);
    throw error;
  }
}

function speed(text: string): number {
  const [, digits] = /^(\d+(?:\.\d+)?)x?$/.exec(text) ?? [];
  const times = Number(digits);
  if (digits !== undefined && times >= 1 && times <= MAX_SPEED) return times;
  throw new InvalidArgumentError(`A number from 1 to ${MAX_SPEED} is allowed, such as 60x.`);
}

import { type Command, InvalidArgumentError } from "commander";
import type { FaultOptions } from "../local/index.ts";
import { wholeNumber } from "./options.ts";

const MAX_DELIVERIES = 10;
const MAX_SKEW_SECONDS = 60;
const MAX_SEED = 4_294_967_295;

export interface FaultFlags {
  duplicate?: number;
  crash?: number;
  loseReplies?: number;
  throttle?: number;
  skew?: number;
  seed?: number;
}

/** The options that make faults. */
export function addFaultOptions(command: Command): void {
  command
    .option("--duplicate <times>", "deliver every event so many times", wholeNumber(MAX_DELIVERIES))
    .option("--crash <percent>", "kill this share of the invocations in their midst, such as 10%", share)
    .option("--lose-replies <percent>", "carry out this share of the requests to tables, and lose the reply", share)
    .option("--throttle <percent>", "refuse this share of the requests to tables as too many", share)
    .option("--skew <seconds>", "let each sandbox's clock be off by up to so much, such as 3s", seconds)
    .option("--seed <number>", "draw the faults with this seed (default: 1)", wholeNumber(MAX_SEED));
}

export function faultsOf({ duplicate, crash, loseReplies, throttle, skew, seed }: FaultFlags): FaultOptions {
  return {
    ...(duplicate !== undefined && { deliveries: duplicate }),
    ...(crash !== undefined && { crash }),
    ...(loseReplies !== undefined && { loseReplies }),
    ...(throttle !== undefined && { throttle }),
    ...(skew !== undefined && { skewMs: skew * 1000 }),
    ...(seed !== undefined && { seed }),
  };
}

function share(text: string): number {
  const [, digits] = /^(\d+(?:\.\d+)?)%?$/.exec(text) ?? [];
  const percent = Number(digits);
  if (digits !== undefined && percent <= 100) return percent / 100;
  throw new InvalidArgumentError("A percentage from 0% to 100% is allowed, such as 10%.");
}

function seconds(text: string): number {
  const [, digits] = /^(\d+(?:\.\d+)?)s?$/.exec(text) ?? [];
  const count = Number(digits);
  if (digits !== undefined && count <= MAX_SKEW_SECONDS) return count;
  throw new InvalidArgumentError(`Seconds from 0 to ${MAX_SKEW_SECONDS} are allowed, such as 3s.`);
}

import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { OperationError } from "../operations/errors.ts";
import type { Operations } from "../operations/index.ts";
import type { CommonOptions } from "./options.ts";
import { clearScreen, onTerminal } from "./output.ts";
import { withOperations } from "./with-operations.ts";

export interface WatchOptions extends CommonOptions {
  watch?: true;
}

const INTERVAL_MS = 2_000;

export function addWatch(command: Command): Command {
  return command.option("--watch", "show it anew every two seconds, on a terminal, until Ctrl-C");
}

/** Shows once, or again and again. Connects anew each time, so that a runner may come and go meanwhile. */
export async function showOrWatch(
  options: WatchOptions,
  show: (operations: Operations) => Promise<void>,
): Promise<void> {
  if (!options.watch) return withOperations(options, show);
  if (options.json || !onTerminal) {
    throw new OperationError(
      "INVALID_INPUT",
      "--watch redraws a terminal; without one, or with --json, ask again instead",
    );
  }
  for (;;) {
    clearScreen();
    await withOperations(options, show);
    await sleep(INTERVAL_MS);
  }
}

import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { RunnerError } from "./errors.ts";
import { HOLDS_NOTHING, lockFolder } from "./folder-lock.ts";
import { findRunner } from "./runner-file.ts";

const lockName = "lock";

/**
 * Takes the folder for this runner alone; empties it when asked to.
 *
 * @returns gives the folder back
 * @throws RunnerError ALREADY_RUNNING, FOLDER_BROKEN
 */
export async function takeStateFolder(stateDir: string, fresh: boolean): Promise<() => Promise<void>> {
  try {
    mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    const message = `The folder ${stateDir} cannot be made: ${(error as Error).message}.`;
    throw new RunnerError("FOLDER_BROKEN", message, { exitCode: 2, cause: error });
  }
  const unlock = await lockFolder(join(stateDir, lockName), HOLDS_NOTHING);
  if (!unlock) {
    const runner = await findRunner(stateDir);
    const who = runner
      ? `A runner (process ${runner.pid}, since ${runner.startedAt})`
      : "Another runner that is starting or stopping";
    const message = `${who} is at work on ${stateDir}. Stop it first, or use another folder for this one.`;
    throw new RunnerError("ALREADY_RUNNING", message, { exitCode: 1 });
  }
  if (fresh) {
    for (const name of readdirSync(stateDir)) {
      if (name !== lockName) rmSync(join(stateDir, name), { recursive: true, force: true });
    }
  }
  return unlock;
}

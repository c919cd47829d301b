import { ClassicLevel } from "classic-level";
import { RunnerError } from "./errors.ts";

/** Of a folder that is there for its lock alone. */
export const HOLDS_NOTHING = "delete it: it holds nothing.";

/**
 * Locks a folder for this process; undefined when another process holds it. The operating system gives the lock back
 * when the process ends, however it ends. Node has no call for such a lock: LevelDB, which the embedded table stands on,
 * brings one.
 *
 * @param wayOut what to do about a folder that is damaged
 * @returns gives the lock back
 * @throws RunnerError FOLDER_BROKEN when the folder cannot be opened at all
 */
export async function lockFolder(dir: string, wayOut: string): Promise<(() => Promise<void>) | undefined> {
  const database = new ClassicLevel(dir);
  try {
    await database.open();
  } catch (error) {
    const cause = (error as Error).cause as { code?: string; message?: string } | undefined;
    if (cause?.code === "LEVEL_LOCKED") return undefined;
    throw new RunnerError(
      "FOLDER_BROKEN",
      `${dir} cannot be opened: ${cause?.message ?? (error as Error).message}. If the disk is full, make room. If the folder is damaged, ${wayOut}`,
      { exitCode: 1, cause: error },
    );
  }
  return () => database.close();
}

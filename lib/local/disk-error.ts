import { resolve } from "node:path";
import { RunnerError } from "./errors.ts";

/** By which the system, and LevelDB, say that they could not write. */
const CODES = new Set(["ENOSPC", "EDQUOT", "EFBIG", "EROFS", "EIO", "EACCES", "EPERM"]);

/** A file stands where a folder should, or a folder where a file should. */
const MISPLACED = new Set(["EEXIST", "EISDIR", "ENOTDIR", "ENOTEMPTY"]);

/** What the disk refuses, or what is in the way in this folder, as an error with the way out; any other as it is. */
export function asDiskError(error: unknown, dir: string): unknown {
  if (error instanceof RunnerError) return error;
  const { code = "", message, path = "" } = error as NodeJS.ErrnoException;
  if (MISPLACED.has(code) && path.startsWith(resolve(dir))) {
    return broken(`${message}. Move it away: a file stands where a folder should, or the other way round.`, error);
  }
  if (!CODES.has(code) && !message.startsWith("IO error: ")) return error;
  const way = "Make room on its disk, or use another folder with --state-dir.";
  return broken(`${dir} cannot be written: ${message}. ${way}`, error);
}

function broken(message: string, cause: unknown): RunnerError {
  return new RunnerError("FOLDER_BROKEN", message, { exitCode: 1, cause });
}

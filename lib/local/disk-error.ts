import { RunnerError } from "./errors.ts";

/** By which the system, and LevelDB, say that they could not write. */
const CODES = new Set(["ENOSPC", "EDQUOT", "EFBIG", "EROFS", "EIO", "EACCES", "EPERM"]);

/** What the disk refuses as an error with the way out; any other as it is. */
export function asDiskError(error: unknown, dir: string): unknown {
  const { code = "", message } = error as NodeJS.ErrnoException;
  if (error instanceof RunnerError || !(CODES.has(code) || message.startsWith("IO error: "))) return error;
  const way = `${dir} cannot be written: ${message}. Make room on its disk, or use another folder with --state-dir.`;
  return new RunnerError("FOLDER_BROKEN", way, { exitCode: 1, cause: error });
}

import { appendFileSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Clock } from "./clock.ts";
import type { Tell } from "./events.ts";

/** A file that reaches this is put aside as `.1.log`, over the one before. */
const MAX_FILE_BYTES = 5_000_000;
/** Log files kept of one function, the newest; a sandbox writes one. */
const MAX_FILES = 40;

/** `2026-11-29/local-1f0c9a7e`: a log stream's name, and its file's path below the function's log folder. */
export function logStreamName(nowMs: number, sandboxId: string): string {
  return `${new Date(nowMs).toISOString().slice(0, 10)}/local-${sandboxId.slice(0, 8)}`;
}

/** The log of one sandbox, bounded in size, with the time of its last line as the file's. Where it cannot be written that is said once, and the sandbox goes on. */
export class LogFile {
  readonly #functionLogsDir: string;
  readonly #path: string;
  readonly #clock: Pick<Clock, "nowMs">;
  readonly #tell: Tell;
  #state: "new" | "open" | "failed" = "new";
  #bytes = 0;

  constructor(functionLogsDir: string, stream: string, clock: Pick<Clock, "nowMs">, tell: Tell) {
    this.#functionLogsDir = functionLogsDir;
    this.#path = join(functionLogsDir, `${stream}.log`);
    this.#clock = clock;
    this.#tell = tell;
  }

  append(text: string): void {
    if (this.#state === "failed") return;
    try {
      if (this.#state === "new") this.#open();
      if (this.#bytes > MAX_FILE_BYTES) this.#rotate();
      appendFileSync(this.#path, text);
      const now = new Date(this.#clock.nowMs());
      utimesSync(this.#path, now, now);
      this.#bytes += Buffer.byteLength(text);
    } catch (error) {
      this.#state = "failed";
      this.#tell({ kind: "warning", message: `The log ${this.#path} ends here: ${(error as Error).message}.` });
    }
  }

  #open(): void {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    removeOldest(this.#functionLogsDir);
    this.#state = "open";
  }

  #rotate(): void {
    renameSync(this.#path, this.#path.replace(/\.log$/, ".1.log"));
    this.#bytes = 0;
  }
}

/** The paths of a function's log files. What else may lie among them is nobody's log. */
export function logFilesIn(functionLogsDir: string): string[] {
  return readdirSync(functionLogsDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".log"))
    .map((entry) => join(entry.parentPath, entry.name));
}

function removeOldest(dir: string): void {
  const files = logFilesIn(dir)
    .map((path) => ({ path, changedMs: statSync(path).mtimeMs }))
    .sort((a, b) => b.changedMs - a.changedMs);
  for (const { path } of files.slice(MAX_FILES - 1)) rmSync(path, { force: true });
}

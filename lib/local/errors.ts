export type RunnerErrorCode =
  | "ALREADY_RUNNING"
  | "BAD_ASSEMBLY"
  | "CLOCK_BEHIND"
  | "FOLDER_BROKEN"
  | "FOLDER_IN_USE"
  | "PORT_IN_USE"
  | "SYNTH_FAILED"
  | "TABLE_CHANGED";

/** Something the person at the keyboard can put right: the message says what and how, without a stack. */
export class RunnerError extends Error {
  override readonly name = "RunnerError";
  readonly code: RunnerErrorCode;
  /** 1: it failed. 2: what was asked for is wrong (a folder, a port, an assembly). */
  readonly exitCode: 1 | 2;

  constructor(code: RunnerErrorCode, message: string, options: { exitCode: 1 | 2; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.code = code;
    this.exitCode = options.exitCode;
  }
}

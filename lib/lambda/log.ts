import { Logger } from "@aws-lambda-powertools/logger";

/** The log of one run: JSON lines that carry job, run id, attempt and request id. `POWERTOOLS_LOG_LEVEL` sets the level. */
export type RunLog = Pick<Logger, "debug" | "info" | "warn" | "error">;

/** What a line is found by. The attempt is known once the lock is held. */
export interface LogKeys {
  readonly job: string;
  readonly runId: string;
  readonly requestId: string;
  readonly attempt?: number;
}

/** A log of its own for each invocation, so that no key of one shows up in the lines of another. */
export function createLog(fleet: string, keys: LogKeys): RunLog {
  return new Logger({ serviceName: fleet, persistentKeys: { ...keys } });
}

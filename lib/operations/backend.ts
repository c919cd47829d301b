import type { DeployedSchedule } from "../run/index.ts";
import { nearest, shown } from "../schedule/index.ts";
import type { FleetRegister, ListedJob, RunQueries, RunStore } from "../store/index.ts";
import type { DeadLetterBox } from "./dead-letters.ts";
import { OperationError } from "./errors.ts";
import type { LogSource } from "./logs.ts";
import type { Finding, Target } from "./types.ts";

/** What the operations need of a place where jobs run. */
export interface Backend {
  readonly target: Target;
  readonly fleet: Pick<FleetRegister, "readFleet">;
  readonly records: RunQueries;
  /** Carries out operators' actions. */
  readonly store: RunStore;
  readonly deadLetters: DeadLetterBox;
  readonly logs: LogSource;
  /** Puts an event into the function's queue. Absent where nothing runs. */
  readonly invoke?: ((functionName: string, payload: object) => Promise<void>) | undefined;
  /** Where to read the log of a stream; undefined where nobody said which group it is in. */
  logOf(log: { functionName: string; group: string | undefined; stream: string }): string | undefined;
  /** A schedule as EventBridge has it; undefined where it has none. Absent where no EventBridge is. */
  readonly deployedSchedule?: ((job: string, schedule: string) => Promise<DeployedSchedule | undefined>) | undefined;
  /** Whether the template disables a schedule of a job that is enabled itself. Absent where that is not known. */
  readonly isDisabled?: ((job: string, schedule: string) => boolean) | undefined;
  /** What only this place has to be checked for. */
  checks(): Promise<Finding[]>;
  /** The name that this person or program acts under. */
  whoAmI(): Promise<string>;
  nowMs(): number;
  sleep(ms: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * @throws OperationError `UNKNOWN_JOB` with the nearest name
 * @throws StoreError where the list's item of this job cannot be read
 */
export async function findJob({ fleet, target }: Backend, job: string): Promise<ListedJob> {
  const { jobs, unreadable } = await fleet.readFleet();
  const found = jobs.find((candidate) => candidate.job === job);
  if (found) return found;
  const broken = unreadable.find((candidate) => candidate.job === job);
  if (broken) throw broken.error;
  const names = jobs.map((candidate) => candidate.job);
  const likely = nearest(job, names);
  const hint = likely
    ? `did you mean "${likely}"?`
    : names.length > 0
      ? `there are: ${names.join(", ")}`
      : "there are no jobs at all yet";
  throw new OperationError("UNKNOWN_JOB", `fleet ${target.fleet} has no job ${shown(job)}; ${hint}`);
}

import {
  createDynamoClient,
  createFencedStore,
  createRunStore,
  type FencedStore,
  type RunStore,
} from "../store/index.ts";
import { announce, type EndedAttempt } from "./announce.ts";
import { type Clock, systemClock } from "./clock.ts";
import { countingStore } from "./counting-store.ts";
import { readEnvironment, readOverrides } from "./environment.ts";
import { createLog, type LogKeys, type RunLog } from "./log.ts";
import { createMetrics, type RunMetrics } from "./metrics.ts";
import type { JobOptions } from "./options.ts";
import { selfInvocation } from "./self-invocation.ts";

/** What a function has beside its options: its name, the table, time, and where its lines go. */
export interface Runtime {
  readonly job: string;
  readonly fleet: string;
  /** What the stage says of the job in place of its file. */
  readonly overrides?: Partial<JobOptions>;
  readonly store: RunStore;
  readonly fencedStore: FencedStore;
  readonly clock: Clock;
  readonly metrics: RunMetrics;
  log(keys: LogKeys): RunLog;
  /** Tells whoever listens how an attempt ended; returns what went wrong. */
  announce(attempt: EndedAttempt): Promise<Error[]>;
  /** Sends an event to this job's function, asynchronously. */
  invokeSelf(event: object): Promise<void>;
  /** Ends this process at once, with whatever is at work in it. */
  endProcess(): void;
}

/** The runtime that the environment describes. Throws where one of its variables is missing. */
export function createRuntime(): Runtime {
  const job = readEnvironment("job");
  const fleet = readEnvironment("fleet");
  const tableName = readEnvironment("table");
  const table = { client: createDynamoClient(), tableName, fleet };
  const metrics = createMetrics(fleet, job);
  return {
    job,
    fleet,
    overrides: readOverrides(job),
    store: countingStore(createRunStore(table), metrics.lost),
    fencedStore: createFencedStore(table),
    clock: systemClock,
    metrics,
    log: (keys) => createLog(fleet, keys),
    announce,
    invokeSelf: selfInvocation(),
    endProcess: () => process.exit(1),
  };
}

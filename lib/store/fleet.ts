import type { CatchUp } from "../run/catch-up.ts";
import type { Overlap } from "../run/delivery.ts";
import { isSame, type WatchedSchedule } from "../run/watch/judge.ts";
import { own, type ScheduleSpec } from "../schedule/index.ts";
import { FORMAT_VERSION, parse } from "./codec.ts";
import { StoreError } from "./errors.ts";
import { FLEET_JOB_PREFIX, fleetJobKey, fleetPartition, SORT_KEY } from "./keys.ts";
import type { Item } from "./request.ts";
import { FleetItem } from "./schemas.ts";
import { pages, send, type TableOptions } from "./sender.ts";
import { toTimeText } from "./times.ts";
import { decodeWatch } from "./watch.ts";

/** A job as the fleet's list knows it. */
export interface FleetJob {
  readonly job: string;
  readonly functionName: string;
  readonly schedules: Readonly<Record<string, ScheduleSpec>>;
  readonly description?: string | undefined;
  readonly enabled: boolean;
  readonly overlap: Overlap;
  /** How many may wait for the lock, or are caught up with. Lists of an earlier release lack it, and the next one. */
  readonly queueLength?: number | undefined;
  readonly catchUp?: CatchUp | undefined;
  /** How often a run renews its lease; absent: its lease lasts until its deadline. */
  readonly heartbeatMs?: number | undefined;
  readonly retries: number;
  readonly timeoutMs: number;
  readonly retentionMs: number;
  /** For how long the lock is held after a time-out or a crash; absent: not at all. */
  readonly holdAfterTimeoutMs?: number | undefined;
  /** By schedule. */
  readonly maxLatenessMs: Readonly<Record<string, number>>;
}

/** What a stack says of a job, as far as the list knows it; the rest is left out. */
export function fleetJobOf(
  job: Omit<FleetJob, "job" | "functionName"> & { readonly name: string },
  functionName: string,
): FleetJob {
  const { name, schedules, description, enabled, overlap, queueLength, catchUp, retries, timeoutMs, retentionMs } = job;
  return {
    job: name,
    functionName,
    schedules,
    ...(description !== undefined && { description }),
    enabled,
    overlap,
    ...(queueLength !== undefined && { queueLength }),
    ...(catchUp !== undefined && { catchUp }),
    ...(job.heartbeatMs !== undefined && { heartbeatMs: job.heartbeatMs }),
    retries,
    timeoutMs,
    retentionMs,
    ...(job.holdAfterTimeoutMs !== undefined && { holdAfterTimeoutMs: job.holdAfterTimeoutMs }),
    maxLatenessMs: job.maxLatenessMs,
  };
}

export interface ListedJob extends FleetJob {
  readonly firstSeenMs: number;
  /** Since when each schedule is as it is: nothing is known of what it did before. Absent in lists of an earlier release. */
  readonly schedulesSinceMs?: Readonly<Record<string, number>> | undefined;
  /** When the job left the stack; its runs are still there. */
  readonly removedMs?: number | undefined;
  /** Absent until the watchdog has looked at the job. */
  readonly watch?: Watch | undefined;
}

/** What the watchdog remembers of a job from one look to the next. */
export interface Watch {
  readonly atMs: number;
  readonly schedules: Readonly<Record<string, WatchedSchedule>>;
  /** The time of the oldest run that has not ended for good; absent where all have. */
  readonly openSinceMs?: number | undefined;
}

/** A job whose item in the list is damaged, or of a newer release. */
export interface UnreadableJob {
  readonly job: string;
  readonly error: StoreError;
}

/** All jobs by name, also removed ones. */
export interface Fleet {
  readonly jobs: readonly ListedJob[];
  readonly unreadable: readonly UnreadableJob[];
}

export interface FleetRegister {
  readFleet(): Promise<Fleet>;
  /** Writes what the stack says of a job; `nowMs` counts as first seen when the job is new. */
  putFleetJob(job: FleetJob, nowMs: number): Promise<void>;
  /** Marks a job as no longer in the stack, and forgets what the watchdog remembered of it. */
  removeFleetJob(job: string, nowMs: number): Promise<void>;
}

const OPTIONAL = [
  "description",
  "queueLength",
  "catchUp",
  "heartbeatMs",
  "holdAfterTimeoutMs",
] as const satisfies readonly (keyof FleetJob)[];

/** The list of a stack's jobs: one query. */
export function createFleetRegister(options: TableOptions): FleetRegister {
  const { fleet } = options;
  return {
    async readFleet() {
      const range = { from: FLEET_JOB_PREFIX, to: `${FLEET_JOB_PREFIX}\uffff`, descending: false };
      const jobs: ListedJob[] = [];
      const unreadable: UnreadableJob[] = [];
      for await (const { items = [] } of pages({ kind: "query", pk: fleetPartition(fleet), ...range }, options)) {
        for (const item of items) {
          const job = readFleetJob(item);
          if ("error" in job) unreadable.push(job);
          else jobs.push(job);
        }
      }
      return { jobs, unreadable };
    },

    async putFleetJob(job, nowMs) {
      parse(FleetItem, { ...job, firstSeenAt: toTimeText(nowMs) });
      const { item } = await send({ kind: "get", key: fleetJobKey(fleet, job.job) }, options);
      const known = item && readFleetJob(item);
      const schedulesSince = sinceOf(job, known && "error" in known ? undefined : known, nowMs);
      await send(
        {
          kind: "update",
          key: fleetJobKey(fleet, job.job),
          set: { v: FORMAT_VERSION, ...job, schedulesSince },
          setIfAbsent: { firstSeenAt: toTimeText(nowMs) },
          remove: ["removedAt", ...OPTIONAL.filter((name) => job[name] === undefined)],
        },
        options,
      );
    },

    async removeFleetJob(job, nowMs) {
      await send(
        {
          kind: "update",
          key: fleetJobKey(fleet, job),
          condition: { present: "pk" },
          set: { removedAt: toTimeText(nowMs) },
          remove: ["watch"],
        },
        options,
      );
    },
  };
}

/** A schedule that is new, other than it was, or switched on or off, is as it is from now on. */
function sinceOf({ enabled, schedules }: FleetJob, known: ListedJob | undefined, nowMs: number): Item {
  const isBack = known?.removedMs !== undefined || known?.enabled !== enabled;
  const since = Object.entries(schedules).map(([name, spec]) => {
    const before = isBack ? undefined : own(known.schedules, name);
    const isSameStill = known && before && isSame(before, spec);
    return [name, toTimeText(isSameStill ? (known.schedulesSinceMs?.[name] ?? known.firstSeenMs) : nowMs)];
  });
  return Object.fromEntries(since);
}

/** One item that cannot be read must not hide the others. */
function readFleetJob(item: Item): ListedJob | UnreadableJob {
  try {
    const { firstSeenAt, schedulesSince, removedAt, watch, ...same } = parse(FleetItem, item);
    const times = { firstSeenMs: firstSeenAt, schedulesSinceMs: schedulesSince, removedMs: removedAt };
    return { ...same, ...times, watch: watch && decodeWatch(watch) };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { job: String(item[SORT_KEY]).slice(FLEET_JOB_PREFIX.length), error };
  }
}

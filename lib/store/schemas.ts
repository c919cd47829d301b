import * as v from "valibot";
import { OPERATOR_ACTIONS } from "../run/audit.ts";
import { CATCH_UPS } from "../run/catch-up.ts";
import { OVERLAPS, START_CAUSES, TRIGGER_KINDS } from "../run/delivery.ts";
import { RUN_STATUSES } from "../run/record.ts";
import { MAX_QUEUED_INPUT_BYTES, STOP_KINDS } from "../run/state.ts";

/** What each item of the table looks like, read and written: whoever writes an item checks it by these, too. */

const Text = v.pipe(v.string(), v.minLength(1));
const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const FromOne = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
/** ISO text with milliseconds, as epoch milliseconds. */
export const Time = v.pipe(v.string(), v.isoTimestamp(), v.length(24), v.transform(Date.parse));
const Status = v.picklist(RUN_STATUSES);
/** @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_CreateLogGroup.html */
const LogGroup = v.pipe(v.string(), v.maxLength(512));

const RunError = v.object({ name: v.string(), message: v.string() });
const Summary = v.object({ bytes: Count, hash: Text, json: v.optional(v.string()) });
const Trigger = v.object({
  kind: v.picklist(TRIGGER_KINDS),
  by: v.optional(v.string()),
  reason: v.optional(v.string()),
  account: v.optional(v.string()),
});

const Attempt = v.pipe(
  v.object({
    attempt: FromOne,
    fence: FromOne,
    status: Status,
    startedAt: Time,
    endedAt: Time,
    error: v.optional(RunError),
    requestId: Text,
    logStream: v.optional(v.string()),
  }),
  v.check(({ startedAt, endedAt }) => startedAt <= endedAt, "an attempt ends before it starts"),
);

export const LeaseMap = v.object({
  owner: Text,
  runId: Text,
  deliveryId: Text,
  redelivered: v.boolean(),
  attempt: FromOne,
  startedAt: Time,
  deliveredAt: v.optional(Time),
  expiresAt: Time,
  trigger: Trigger,
  requestId: Text,
  logGroup: v.optional(LogGroup),
  logStream: v.optional(v.string()),
  locks: v.optional(v.array(Text)),
  retentionMs: FromOne,
  holdMs: v.optional(FromOne),
  heartbeatMs: v.optional(FromOne),
  progress: v.optional(v.object({ fraction: v.number(), note: v.optional(v.string()), at: Time })),
});

export const QueueEntryMap = v.object({
  runId: Text,
  trigger: Trigger,
  deliveryId: Text,
  requestId: Text,
  cause: v.optional(v.picklist(START_CAUSES)),
  queuedAt: Time,
  deliveredAt: v.optional(Time),
  heldBy: v.optional(Text),
  input: v.optional(v.pipe(v.string(), v.maxBytes(MAX_QUEUED_INPUT_BYTES))),
  workTime: v.optional(Time),
  workSchedule: v.optional(Text),
});

export const StopMap = v.object({
  owner: Text,
  kind: v.picklist(STOP_KINDS),
  by: Text,
  reason: v.optional(v.string()),
  at: Time,
});

export const RunItem = v.pipe(
  v.object({
    job: Text,
    runId: Text,
    schedule: v.optional(Text),
    scheduledTime: v.optional(Time),
    workTime: v.optional(Time),
    workSchedule: v.optional(Text),
    status: Status,
    reason: v.optional(v.picklist(["overlap", "paused", "late", "cancelled"])),
    heldBy: v.optional(Text),
    heldOver: v.optional(v.literal(true)),
    queueFull: v.optional(v.literal(true)),
    sharedLock: v.optional(v.object({ name: Text, job: Text })),
    fence: Count,
    attempt: Count,
    attempts: v.array(Attempt),
    deliveredAt: v.optional(Time),
    startedAt: v.optional(Time),
    endedAt: v.optional(Time),
    trigger: Trigger,
    error: v.optional(RunError),
    input: v.optional(Summary),
    result: v.optional(Summary),
    steps: v.optional(v.array(v.object({ name: Text, json: v.optional(v.string()) }))),
    requestId: Text,
    logGroup: v.optional(LogGroup),
    logStream: v.optional(v.string()),
    lease: v.optional(LeaseMap),
    ttl: FromOne,
  }),
  v.check(
    ({ status, endedAt }) => (status === "RUNNING") === (endedAt === undefined),
    "a run has an end exactly when it is not running",
  ),
  v.check(
    ({ status, startedAt, attempt, fence }) =>
      status === "SKIPPED" ? attempt === 0 : startedAt !== undefined && attempt >= 1 && fence >= 1,
    "a run that was not skipped has a start, an attempt and a fence",
  ),
  v.check(({ startedAt = 0, endedAt = startedAt }) => startedAt <= endedAt, "a run ends before it starts"),
  v.check(
    ({ status, reason }) => (status === "SKIPPED") === (reason !== undefined),
    "a skip has a reason, only a skip",
  ),
);

export const StateItem = v.pipe(
  v.object({
    fence: v.optional(FromOne),
    lease: v.optional(LeaseMap),
    leaseFence: v.optional(FromOne),
    stop: v.optional(StopMap),
    highWater: v.optional(Text),
    paused: v.optional(v.object({ by: v.string(), reason: v.string(), at: Time, until: v.optional(Time) })),
    queue: v.optional(v.array(QueueEntryMap)),
    last: v.optional(v.object({ runId: Text, status: Status, endedAt: Time })),
    lastSuccess: v.optional(v.object({ runId: Text, scheduledTime: Time, endedAt: Time })),
    consecutiveFailures: v.optional(Count, 0),
  }),
  v.check(({ lease, fence }) => lease === undefined || fence !== undefined, "a lease has a fence"),
);

export const AuditItem = v.object({
  job: Text,
  id: Text,
  at: Time,
  action: v.picklist(OPERATOR_ACTIONS),
  by: Text,
  reason: v.optional(v.string()),
  detail: v.optional(v.string()),
  until: v.optional(Time),
  ttl: FromOne,
});

export const LockLeaseMap = v.object({
  owner: Text,
  job: Text,
  runId: Text,
  jobFence: v.optional(FromOne),
  expiresAt: Time,
  holdMs: v.optional(FromOne),
  heartbeatMs: v.optional(FromOne),
  priority: v.pipe(v.number(), v.safeInteger()),
});

export const LockItem = v.pipe(
  v.object({
    fence: v.optional(FromOne),
    lease: v.optional(LockLeaseMap),
    stop: v.optional(StopMap),
  }),
  v.check(({ lease, fence }) => lease === undefined || fence !== undefined, "a lease has a fence"),
);

const Schedule = v.object({
  expression: Text,
  timeZone: Text,
  start: v.exactOptional(v.string()),
  end: v.exactOptional(v.string()),
  flexibleWindowMinutes: v.exactOptional(FromOne),
});

export const WatchMap = v.object({
  at: Time,
  openSince: v.optional(Time),
  schedules: v.record(v.string(), v.object({ spec: Schedule, until: Time, anchor: Time })),
});

export const WatchdogItem = v.object({ nextJob: v.optional(Text), awayUntil: v.optional(Time) });

export const FleetItem = v.object({
  job: Text,
  functionName: Text,
  schedules: v.record(v.string(), Schedule),
  description: v.optional(v.string()),
  enabled: v.boolean(),
  overlap: v.picklist(OVERLAPS),
  queueLength: v.optional(FromOne),
  catchUp: v.optional(v.picklist(CATCH_UPS)),
  heartbeatMs: v.optional(FromOne),
  retries: Count,
  timeoutMs: FromOne,
  retentionMs: FromOne,
  holdAfterTimeoutMs: v.optional(FromOne),
  maxLatenessMs: v.record(v.string(), Count),
  firstSeenAt: Time,
  schedulesSince: v.optional(v.record(v.string(), Time)),
  removedAt: v.optional(Time),
  watch: v.optional(WatchMap),
});

import * as v from "valibot";
import type { AuditEntry } from "../run/audit.ts";
import type { Attempt, RunRecord } from "../run/record.ts";
import type { SharedLease, SharedLock } from "../run/shared-lock.ts";
import type { JobState, Lease, Pause, Progress, QueueEntry, Stop, Tally } from "../run/state.ts";
import { StoreError } from "./errors.ts";
import { auditKey, type Key, runKey } from "./keys.ts";
import type { Item } from "./request.ts";
import { AuditItem, LeaseMap, LockItem, LockLeaseMap, QueueEntryMap, RunItem, StateItem, StopMap } from "./schemas.ts";
import { toEpochSeconds, toTimeText } from "./times.ts";

/** The format of items written now. Readers refuse a newer one, which they might misread. */
export const FORMAT_VERSION = 1;

/** @throws StoreError `STORE_ITEM_INVALID` when the record is not one that could be read back */
export function encodeRecord(fleet: string, record: RunRecord): Item & Key {
  const { scheduledTimeMs, workTimeMs, deliveredMs, startedMs, endedMs, ...others } = record;
  const { attempts, steps, lease, expiresAtMs, ...same } = others;
  const item = {
    ...runKey(fleet, record.job, record.runId),
    v: FORMAT_VERSION,
    ...same,
    scheduledTime: timeText(scheduledTimeMs),
    workTime: timeText(workTimeMs),
    deliveredAt: timeText(deliveredMs),
    startedAt: timeText(startedMs),
    endedAt: timeText(endedMs),
    attempts: attempts.map(encodeAttempt),
    // Their number stands by itself for conditions.
    ...(steps && { steps, stepCount: steps.length }),
    ...(lease && { lease: encodeLease(lease) }),
    ttl: toEpochSeconds(expiresAtMs),
  };
  decodeRecord(item);
  return item;
}

/** @throws StoreError `STORE_ITEM_NEWER` or `STORE_ITEM_INVALID`, naming the item and the field */
export function decodeRecord(item: Item): RunRecord {
  const { scheduledTime, workTime, deliveredAt, startedAt, endedAt, attempts, lease, ttl, ...same } = parse(
    RunItem,
    item,
  );
  return {
    ...same,
    scheduledTimeMs: scheduledTime,
    workTimeMs: workTime,
    deliveredMs: deliveredAt,
    startedMs: startedAt,
    endedMs: endedAt,
    attempts: attempts.map(({ startedAt, endedAt, ...rest }) => ({ ...rest, startedMs: startedAt, endedMs: endedAt })),
    lease: lease && decodeLease(lease),
    expiresAtMs: ttl * 1_000,
  };
}

export function encodeLease({ startedMs, deliveredMs, expiresAtMs, progress, ...same }: Lease): Item {
  const item = {
    ...same,
    startedAt: toTimeText(startedMs),
    deliveredAt: timeText(deliveredMs),
    expiresAt: toTimeText(expiresAtMs),
    ...(progress && { progress: encodeProgress(progress) }),
  };
  parse(LeaseMap, item);
  return item;
}

export function encodeQueueEntry({ queuedMs, deliveredMs, workTimeMs, ...same }: QueueEntry): Item {
  const times = { queuedAt: toTimeText(queuedMs), deliveredAt: timeText(deliveredMs), workTime: timeText(workTimeMs) };
  const item = { ...same, ...times };
  parse(QueueEntryMap, item);
  return item;
}

export function encodeStop({ atMs, ...same }: Stop): Item {
  const item = { ...same, at: toTimeText(atMs) };
  parse(StopMap, item);
  return item;
}

export function encodePause({ by, reason, atMs, untilMs }: Pause): Item {
  return { by, reason, at: toTimeText(atMs), until: timeText(untilMs) };
}

export function encodeSharedLease({ expiresAtMs, ...same }: SharedLease): Item {
  const item = { ...same, expiresAt: toTimeText(expiresAtMs) };
  parse(LockLeaseMap, item);
  return item;
}

/** @throws StoreError `STORE_ITEM_NEWER` or `STORE_ITEM_INVALID`, naming the item and the field */
export function decodeLock(item: Item): SharedLock {
  const { fence, lease, stop } = parse(LockItem, item);
  return { fence, lease: lease && decodeSharedLease(lease), stop: stop && decodeStop(stop) };
}

function decodeSharedLease({ expiresAt, ...same }: v.InferOutput<typeof LockLeaseMap>): SharedLease {
  return { ...same, expiresAtMs: expiresAt };
}

export function encodeTally({ last, lastSuccess, consecutiveFailures }: Tally): Item {
  return {
    ...(last && { last: { runId: last.runId, status: last.status, endedAt: toTimeText(last.endedMs) } }),
    ...(lastSuccess && {
      lastSuccess: {
        runId: lastSuccess.runId,
        scheduledTime: toTimeText(lastSuccess.scheduledTimeMs),
        endedAt: toTimeText(lastSuccess.endedMs),
      },
    }),
    consecutiveFailures,
  };
}

/** @throws StoreError `STORE_ITEM_NEWER` or `STORE_ITEM_INVALID`, naming the item and the field */
export function decodeState(item: Item): JobState {
  const { fence, lease, leaseFence, stop, highWater, paused, queue, last, lastSuccess, consecutiveFailures } = parse(
    StateItem,
    item,
  );
  return {
    fence,
    lease: lease && decodeLease(lease),
    leaseFence,
    stop: stop && decodeStop(stop),
    highWater,
    paused: paused && { by: paused.by, reason: paused.reason, atMs: paused.at, untilMs: paused.until },
    // Who leaves last leaves an empty list.
    queue: queue?.length ? queue.map(decodeQueueEntry) : undefined,
    last: last && { runId: last.runId, status: last.status, endedMs: last.endedAt },
    lastSuccess: lastSuccess && {
      runId: lastSuccess.runId,
      scheduledTimeMs: lastSuccess.scheduledTime,
      endedMs: lastSuccess.endedAt,
    },
    consecutiveFailures,
  };
}

export function encodeAudit(fleet: string, { atMs, untilMs, expiresAtMs, ...same }: AuditEntry): Item & Key {
  const key = auditKey(fleet, same.job, atMs, same.id);
  const item = {
    ...key,
    v: FORMAT_VERSION,
    ...same,
    at: toTimeText(atMs),
    until: timeText(untilMs),
    ttl: toEpochSeconds(expiresAtMs),
  };
  decodeAudit(item);
  return item;
}

/** @throws StoreError `STORE_ITEM_NEWER` or `STORE_ITEM_INVALID`, naming the item and the field */
export function decodeAudit(item: Item): AuditEntry {
  const { at, until, ttl, ...same } = parse(AuditItem, item);
  return { ...same, atMs: at, untilMs: until, expiresAtMs: ttl * 1_000 };
}

/** Checks an item against its schema and its version. */
export function parse<S extends v.GenericSchema>(schema: S, item: Item): v.InferOutput<S> {
  const version = item["v"];
  const where = "pk" in item ? `Item ${item["pk"]} / ${item["sk"]}` : "An item's part";
  if (typeof version === "number" && version > FORMAT_VERSION) {
    const advice = "deploy the newer version here, too";
    throw new StoreError(
      "STORE_ITEM_NEWER",
      `${where} has format version ${version}; this release reads ${FORMAT_VERSION}: ${advice}.`,
    );
  }
  const parsed = v.safeParse(schema, item);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw new StoreError("STORE_ITEM_INVALID", `${where}, ${v.getDotPath(issue) ?? "the whole"}: ${issue.message}`);
}

function encodeAttempt({ startedMs, endedMs, ...same }: Attempt): Item {
  return { ...same, startedAt: toTimeText(startedMs), endedAt: toTimeText(endedMs) };
}

function decodeLease({ startedAt, deliveredAt, expiresAt, progress, ...same }: v.InferOutput<typeof LeaseMap>): Lease {
  const said = progress && { fraction: progress.fraction, note: progress.note, atMs: progress.at };
  return { ...same, startedMs: startedAt, deliveredMs: deliveredAt, expiresAtMs: expiresAt, progress: said };
}

function decodeQueueEntry({
  queuedAt,
  deliveredAt,
  workTime,
  ...same
}: v.InferOutput<typeof QueueEntryMap>): QueueEntry {
  return { ...same, queuedMs: queuedAt, deliveredMs: deliveredAt, workTimeMs: workTime };
}

function decodeStop({ at, ...same }: v.InferOutput<typeof StopMap>): Stop {
  return { ...same, atMs: at };
}

function encodeProgress({ fraction, note, atMs }: Progress): Item {
  return { fraction, note, at: toTimeText(atMs) };
}

function timeText(timeMs: number | undefined): string | undefined {
  return timeMs === undefined ? undefined : toTimeText(timeMs);
}

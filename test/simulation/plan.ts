import {
  type Delivery,
  manualRunId,
  type Overlap,
  parseRunId,
  type QueueEntry,
  scheduledRunId,
  startOf,
} from "../../lib/run/index.ts";
import type { Random } from "./random.ts";

export const JOB = "j";
export const T0 = Date.parse("2026-03-02T02:00:00.000Z");
export const SECOND = 1_000;
const HEARTBEAT_MS = 5 * SECOND;
/** Between two bursts of occurrences everything comes to its end. */
const BURST_MS = 6 * 3_600 * SECOND;

/** What its deployment says of the job during one burst. */
export interface Settings {
  /** One of these for each delivery: more than one while a new policy is deployed. */
  readonly overlaps: readonly Overlap[];
  readonly queueLength: number;
  readonly heartbeatMs?: number | undefined;
  readonly maxAttempts: number;
}

/** A delivery before its first invocation. */
export interface Planned {
  readonly first: Delivery;
  readonly dueMs: number;
}

/**
 * Bursts, hours apart, of a few occurrences in a row and manual runs among them, each delivered one to three times, at
 * once or minutes later.
 */
export function planOf(random: Random, bursts: number): { planned: Planned[]; settingsAt(nowMs: number): Settings } {
  const settings = Array.from({ length: bursts }, () => settingsOf(random));
  const planned = settings.flatMap((burst, index) => planBurst(random, T0 + index * BURST_MS, burst));
  const settingsAt = (nowMs: number) =>
    settings[Math.min(bursts - 1, Math.max(0, Math.floor((nowMs - T0) / BURST_MS)))] as Settings;
  return { planned, settingsAt };
}

/** The start of a run that waits, as its own function gets it. */
export function handOverOf(entry: QueueEntry, id: string, settings: Settings, random: Random): Delivery {
  const { runId, trigger, cause, workTimeMs } = startOf(entry, id);
  const identity = parseRunId(runId);
  return {
    ...commonOf(settings, random),
    runId,
    ...(identity?.kind === "scheduled" && { schedule: identity.schedule, scheduledTimeMs: identity.scheduledTimeMs }),
    workTimeMs,
    trigger,
    cause,
    deliveryId: id,
    requestId: id,
  };
}

function settingsOf(random: Random): Settings {
  const overlaps = random.pick<readonly Overlap[]>([
    ["skip"],
    ["skip"],
    ["allow"],
    ["queue"],
    ["queue"],
    ["queue", "skip"],
    ["replace"],
    ["replace", "skip"],
  ]);
  const canHear = overlaps.includes("replace");
  const hasHeartbeat = canHear || (!overlaps.includes("allow") && random.chance(0.5));
  return {
    overlaps,
    queueLength: 1 + random.upTo(3),
    heartbeatMs: hasHeartbeat ? HEARTBEAT_MS : undefined,
    maxAttempts: 1 + random.upTo(2),
  };
}

function planBurst(random: Random, startMs: number, settings: Settings): Planned[] {
  const planned: Planned[] = [];
  // Leases with a heartbeat are short: more of them have to meet.
  const periodMs = settings.heartbeatMs === undefined ? 60 * SECOND : 15 * SECOND;
  for (let occurrence = 0; occurrence < 5; occurrence++) {
    const atMs = startMs + occurrence * periodMs;
    const isManual = random.chance(0.2);
    const lateAfterMs = random.chance(0.5) ? atMs + 60 * SECOND : undefined;
    for (let copy = random.upTo(2); copy >= 0; copy--) {
      const deliveryId = `delivery-${atMs - T0}-${copy}`;
      const first: Delivery = {
        ...commonOf(settings, random),
        runId: isManual ? manualRunId(`request-${occurrence}`, atMs) : scheduledRunId(atMs, "default"),
        ...(!isManual && { schedule: "default", scheduledTimeMs: atMs, lateAfterMs }),
        trigger: { kind: isManual ? "operator" : "schedule" },
        deliveryId,
        requestId: deliveryId,
      };
      planned.push({ first, dueMs: atMs + random.upTo(random.chance(0.7) ? 5 * SECOND : 5 * periodMs) });
    }
  }
  return planned;
}

function commonOf({ overlaps, queueLength, heartbeatMs, maxAttempts }: Settings, random: Random) {
  const later = { owner: "", receivedMs: 0, leaseExpiresAtMs: 0 };
  const overlap = random.pick(overlaps);
  const kept = { redelivered: true, retentionMs: 86_400 * SECOND };
  return { job: JOB, ...later, ...kept, overlap, queueLength, heartbeatMs, maxAttempts };
}

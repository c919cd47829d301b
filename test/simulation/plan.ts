import {
  type Delivery,
  manualRunId,
  type Overlap,
  parseRunId,
  type Start,
  scheduledRunId,
} from "../../lib/run/index.ts";
import type { Random } from "./random.ts";

export const JOBS = ["j", "k"] as const;
export const T0 = Date.parse("2026-03-02T02:00:00.000Z");
export const SECOND = 1_000;
const HEARTBEAT_MS = 5 * SECOND;
/** Some of the retries of the run that is held over come before its end, and some after it. */
const HOLD_MS = 90 * SECOND;
/** Between two bursts of occurrences everything comes to its end. */
const BURST_MS = 6 * 3_600 * SECOND;
/** Of one job in one burst. */
const OCCURRENCES = 4;

/** What a deployment says of a job. */
export interface Settings {
  readonly overlap: Overlap;
  readonly queueLength: number;
  readonly heartbeatMs?: number | undefined;
  readonly holdMs?: number | undefined;
  readonly maxAttempts: number;
  /** That both jobs may name. Those who need no lock of their job take none of them. */
  readonly locks: readonly string[];
  readonly priority: number;
}

/** One of these gets each delivery of a burst: there are several while a new deployment goes out. */
export type Deployed = readonly Settings[];

/** A delivery before its first invocation. */
export interface Planned {
  readonly first: Delivery;
  readonly dueMs: number;
}

/**
 * Bursts, hours apart, of a few occurrences in a row and manual runs among them, of both jobs, each delivered one to three
 * times, at once or minutes later. Those that are due first come first.
 */
export function planOf(random: Random, bursts: number) {
  const deployed = JOBS.map((job) => ({ job, bursts: Array.from({ length: bursts }, () => deployedIn(random)) }));
  const planned = deployed.flatMap(({ job, bursts }) =>
    bursts.flatMap((burst, index) => planBurst(random, job, T0 + index * BURST_MS, burst)),
  );
  planned.sort((one, other) => one.dueMs - other.dueMs);
  const deployedAt = (job: string, nowMs: number) => {
    const burst = Math.min(bursts - 1, Math.max(0, Math.floor((nowMs - T0) / BURST_MS)));
    return deployed[JOBS.indexOf(job as (typeof JOBS)[number])]?.bursts[burst] as Deployed;
  };
  return { planned, deployedAt };
}

/** The start of a run, as its own function gets it. */
export function deliveryOf(job: string, start: Start, deployed: Deployed, random: Random): Delivery {
  const { runId, trigger, cause, workTimeMs, id } = start;
  const identity = parseRunId(runId);
  return {
    ...commonOf(job, random.pick(deployed)),
    runId,
    ...(identity?.kind === "scheduled" && { schedule: identity.schedule, scheduledTimeMs: identity.scheduledTimeMs }),
    workTimeMs,
    trigger,
    cause,
    deliveryId: id,
    requestId: id,
  };
}

function deployedIn(random: Random): Deployed {
  const count = random.pick([1, 1, 1, 2, 2, 3]);
  return Array.from({ length: count }, () => settingsOf(random));
}

function settingsOf(random: Random): Settings {
  const overlap = random.pick<Overlap>(["skip", "skip", "allow", "queue", "queue", "replace"]);
  const hasHeartbeat = overlap === "replace" || random.chance(0.5);
  return {
    overlap,
    queueLength: 1 + random.upTo(3),
    heartbeatMs: hasHeartbeat ? HEARTBEAT_MS : undefined,
    holdMs: random.chance(0.3) ? HOLD_MS : undefined,
    maxAttempts: 1 + random.upTo(2),
    locks: random.pick([[], ["a"], ["a", "b"]]),
    priority: random.upTo(1),
  };
}

function planBurst(random: Random, job: string, startMs: number, deployed: Deployed): Planned[] {
  const planned: Planned[] = [];
  // Leases with a heartbeat are short: more of them have to meet.
  const hasHeartbeat = deployed.some(({ heartbeatMs }) => heartbeatMs !== undefined);
  const periodMs = hasHeartbeat ? 15 * SECOND : 60 * SECOND;
  for (let occurrence = 0; occurrence < OCCURRENCES; occurrence++) {
    const atMs = startMs + occurrence * periodMs;
    const isManual = random.chance(0.2);
    const lateAfterMs = random.chance(0.5) ? atMs + 60 * SECOND : undefined;
    for (let copy = random.upTo(2); copy >= 0; copy--) {
      const deliveryId = `delivery-${job}-${atMs - T0}-${copy}`;
      const first: Delivery = {
        ...commonOf(job, random.pick(deployed)),
        runId: isManual ? manualRunId(`request-${job}-${occurrence}`, atMs) : scheduledRunId(atMs, job),
        ...(!isManual && { schedule: job, scheduledTimeMs: atMs, lateAfterMs }),
        trigger: { kind: isManual ? "operator" : "schedule" },
        deliveryId,
        requestId: deliveryId,
      };
      planned.push({ first, dueMs: atMs + random.upTo(random.chance(0.7) ? 5 * SECOND : 5 * periodMs) });
    }
  }
  return planned;
}

function commonOf(job: string, settings: Settings) {
  const { overlap, queueLength, maxAttempts, ...forLocks } = settings;
  const later = { owner: "", receivedMs: 0, leaseExpiresAtMs: 0 };
  const kept = { redelivered: true, retentionMs: 86_400 * SECOND };
  return { job, ...later, ...kept, overlap, queueLength, maxAttempts, ...(overlap !== "allow" && forLocks) };
}

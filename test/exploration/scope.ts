import { type Delivery, type Overlap, SKEW_TOLERANCE_MS } from "../../lib/run/index.ts";

/** Time goes in steps of one skew tolerance: a clock is right, one tick behind or one ahead. */
export const TICK_MS = SKEW_TOLERANCE_MS;
export const T0 = Date.parse("2026-03-02T02:00:00.000Z");
export const FLEET = "f";
export const JOB = "j";

/** One delivery of a run. Two with the same run are duplicates. */
export interface Arrival {
  readonly runId: string;
  /** @default the scope's one job. Runs of two jobs have different ids here. */
  readonly job?: string;
  readonly locks?: readonly string[];
  readonly priority?: number;
  readonly schedule?: string;
  readonly scheduledTimeMs?: number;
  readonly lateAfterTick?: number;
  /** @default the scope's. Another one: a new policy is being deployed. */
  readonly overlap?: Overlap;
  /** When it arrives, at the earliest and the latest. @default at any time */
  readonly ticks?: readonly [number, number];
  /** How often it is invoked at most. */
  readonly tries: number;
  /** False: a synchronous invocation. */
  readonly redelivered: boolean;
}

/** What is explored: every interleaving of these deliveries with this many faults, each at any step. */
export interface Scope {
  readonly name: string;
  readonly arrivals: readonly Arrival[];
  readonly maxAttempts: number;
  /** Nothing is invoked after this tick. */
  readonly lastTick: number;
  readonly leaseTicks: number;
  /** Processes that are killed before their deadline. */
  readonly crashes: number;
  /** Requests of which a copy lands at any later time, or whose reply is lost, or that land after a crash. */
  readonly strays: number;
  /** Times that an operator asks a holder to stop. */
  readonly cancels: number;
  /** Absent: no heartbeat. */
  readonly heartbeatTicks?: number;
  readonly overlap: "skip" | "replace" | "queue";
  readonly queueLength: number;
  /** Starts of a run whose turn it is that are lost, or delivered twice. */
  readonly misdeliveries: number;
  /** The first world has a pause that has run out. */
  readonly isPauseOver?: true;
  /** Times that the job is paused or resumed. */
  readonly toggles: number;
  /** How many steps a handler takes at most, over all attempts of its run. */
  readonly steps: number;
  /** Ends of a handler. A time-out is one that was recorded before the handler stopped. */
  readonly outcomes: readonly ("SUCCEEDED" | "FAILED" | "TIMED_OUT")[];
}

export function runsOf({ arrivals }: Scope): string[] {
  return [...new Set(arrivals.map(({ runId }) => runId))];
}

/** The delivery as its n-th invocation gets it at this tick; its process is killed after the last tick of its lease. */
export function invocationOf(scope: Scope, index: number, nth: number, tick: number, receivedMs: number): Delivery {
  const arrival = scope.arrivals[index];
  if (!arrival) throw new RangeError(`no arrival ${index}`);
  const { lateAfterTick, tries: _, ticks: __, ...identity } = arrival;
  const deliveryId = `delivery-${index}`;
  return {
    ...identity,
    job: jobOf(arrival),
    trigger: { kind: arrival.schedule === undefined ? "operator" : "schedule" },
    owner: `${deliveryId}-${nth}`,
    deliveryId,
    receivedMs,
    leaseExpiresAtMs: timeOf(tick + scope.leaseTicks),
    overlap: arrival.overlap ?? scope.overlap,
    heartbeatMs: scope.heartbeatTicks === undefined ? undefined : scope.heartbeatTicks * TICK_MS,
    queueLength: scope.queueLength,
    maxAttempts: scope.maxAttempts,
    lateAfterMs: lateAfterTick === undefined ? undefined : timeOf(lateAfterTick),
    retentionMs: 86_400_000,
    requestId: deliveryId,
  };
}

/** The start of a run whose turn it is, as its one invocation gets it. */
export function startOf(scope: Scope, runId: string, name: string, tick: number, receivedMs: number): Delivery {
  const index = scope.arrivals.findIndex((arrival) => arrival.runId === runId);
  const { lateAfterMs: _, ...delivery } = invocationOf(scope, index, 1, tick, receivedMs);
  return { ...delivery, cause: "queued", owner: `${name}1`, deliveryId: name, requestId: name, redelivered: true };
}

export function jobOf({ job = JOB }: Arrival): string {
  return job;
}

export function timeOf(tick: number): number {
  return T0 + tick * TICK_MS;
}

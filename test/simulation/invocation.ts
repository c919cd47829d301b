import {
  type Begun,
  type Command,
  type Delivery,
  goneAtMs,
  type Hold,
  type Protocol,
  type Renewed,
  stopAtMs,
} from "../../lib/run/index.ts";

/** A delivery on its way through its (up to three) invocations. */
export interface Journey {
  readonly first: Delivery;
  tries: number;
  dueMs: number;
  /** It has asked a holder to stop, and looks again until then. */
  waitsUntilMs?: number | undefined;
  invocation?: Invocation | undefined;
  end?: "acknowledged" | "dead-lettered";
}

export interface Invocation {
  readonly delivery: Delivery;
  readonly skewMs: number;
  readonly protocol: Protocol<Begun> | Protocol<unknown>;
  readonly phase: "begin" | "handler" | "step" | "timing-out" | "stuck" | "finish";
  /** What its protocol sends next, or has come to. */
  readonly next: IteratorResult<Command, unknown>;
  readonly handlerEndsMs: number;
  readonly fails: boolean;
  readonly hold?: Hold;
  /** With a heartbeat: when the last good request was sent, by the own clock. */
  readonly confirmedMs?: number;
  readonly beat?: Beat | undefined;
  readonly isLost?: boolean;
  /** It has heard that it shall stop. */
  readonly isAsked?: boolean;
  /** No renewal of it reaches the table. */
  readonly isCutOff: boolean;
}

/** A renewal of the lease that is under way. */
export interface Beat {
  readonly sentMs: number;
  readonly protocol: Protocol<Renewed>;
  readonly next: IteratorResult<Command, Renewed>;
}

/** The handler is at work, or may be: a time-out has not stopped it yet. */
export const AT_WORK: readonly string[] = ["handler", "step", "timing-out", "stuck"] satisfies Invocation["phase"][];

/** Whether the lease is to be renewed now. */
export function beats(
  { delivery, phase, confirmedMs = 0, skewMs, isLost = false, isCutOff }: Invocation,
  nowMs: number,
): boolean {
  if (delivery.heartbeatMs === undefined || !AT_WORK.includes(phase) || isLost || isCutOff) return false;
  return nowMs + skewMs >= confirmedMs + delivery.heartbeatMs;
}

export function mustStop({ delivery, confirmedMs, skewMs, isLost = false }: Invocation, nowMs: number): boolean {
  if (delivery.heartbeatMs === undefined || confirmedMs === undefined) return false;
  return isLost || nowMs + skewMs >= stopAtMs(confirmedMs, delivery.heartbeatMs);
}

/** When its process has to be gone, whatever its handler does. */
export function goneMs({ delivery, confirmedMs, skewMs, phase }: Invocation): number {
  if (delivery.heartbeatMs === undefined || confirmedMs === undefined || !AT_WORK.includes(phase))
    return Number.POSITIVE_INFINITY;
  return goneAtMs(confirmedMs, delivery.heartbeatMs) - skewMs;
}

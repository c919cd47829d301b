import { SKEW_TOLERANCE_MS } from "../run/index.ts";
import type { Clock } from "./clock.ts";

/** When an invocation ends, whatever its handler does. */
export interface Deadline {
  readonly ms: number;
  /** True when the platform stamped it, and kills the process then. False: expected, from the job's timeout. */
  readonly byPlatform: boolean;
}

/** Lambda's own deadline; without a usable remaining time, the job's timeout from now. */
export function deadlineOf(
  context: { getRemainingTimeInMillis?: unknown },
  nowMs: number,
  timeoutMs: number,
): Deadline {
  const remainingMs: unknown =
    typeof context.getRemainingTimeInMillis === "function" ? context.getRemainingTimeInMillis() : undefined;
  return typeof remainingMs === "number" && remainingMs > 0 && remainingMs < Number.POSITIVE_INFINITY
    ? { ms: nowMs + remainingMs, byPlatform: true }
    : { ms: nowMs + timeoutMs, byPlatform: false };
}

/** Lambda's deadline comes from the service's clock; one of our own making carries our clock's error. */
export function leaseExpiresAtMs(deadline: Deadline): number {
  return deadline.byPlatform ? deadline.ms : deadline.ms + SKEW_TOLERANCE_MS;
}

/** What the promise settles to by a given time, or `undefined`. Leaves no timer behind. */
export async function within<T extends object>(
  clock: Clock,
  untilMs: number,
  promise: Promise<T>,
): Promise<T | undefined> {
  let cancel = () => {};
  const time = new Promise<undefined>((resolve) => {
    cancel = clock.startTimer(Math.max(0, untilMs - clock.nowMs()), () => resolve(undefined));
  });
  try {
    return await Promise.race([promise, time]);
  } finally {
    cancel();
  }
}

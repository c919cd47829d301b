import { goneAtMs, type Hold, stopAtMs } from "../../lib/run/index.ts";
import type { Process } from "./process.ts";
import { timeOf } from "./scope.ts";

/** The handler is at work, or may be: a time-out has not stopped it yet. */
export const AT_WORK: readonly string[] = [
  "handler",
  "step",
  "beat",
  "timing-out",
  "stuck",
] satisfies Process["phase"][];

/** Its deadline is over, or it ends itself since nobody confirmed its lease. */
export function isGone(process: Process, tick: number): boolean {
  const { delivery, phase, confirmedMs, skewTicks } = process;
  if (delivery.leaseExpiresAtMs <= timeOf(tick)) return true;
  const { heartbeatMs } = delivery;
  if (heartbeatMs === undefined || confirmedMs === undefined || !AT_WORK.includes(phase)) return false;
  return timeOf(tick + skewTicks) >= goneAtMs(confirmedMs, heartbeatMs);
}

export function mustStop({ delivery, skewTicks }: Process, { startedMs }: Hold, tick: number): boolean {
  const { heartbeatMs } = delivery;
  return heartbeatMs !== undefined && timeOf(tick + skewTicks) >= stopAtMs(startedMs, heartbeatMs);
}

export function isDue({ delivery, confirmedMs, isLost, skewTicks }: Process, tick: number): boolean {
  const { heartbeatMs } = delivery;
  if (heartbeatMs === undefined || confirmedMs === undefined || isLost) return false;
  return timeOf(tick + skewTicks) >= confirmedMs + heartbeatMs;
}

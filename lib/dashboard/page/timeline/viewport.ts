/** What of time is in sight (epoch ms). */
export interface Viewport {
  readonly fromMs: number;
  readonly toMs: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The server tells 31 days at most, and what is asked for is twice what is in sight. */
const LONGEST_MS = 15 * DAY_MS;
const SHORTEST_MS = 5 * MINUTE_MS;

/** The last hours, and the coming 24. */
export function startingViewport(nowMs: number): Viewport {
  return { fromMs: nowMs - 12 * HOUR_MS, toMs: nowMs + 24 * HOUR_MS };
}

/** So long around an instant that stays where it is; a factor below 1 looks closer. */
export function zoom({ fromMs, toMs }: Viewport, factor: number, aroundMs: number): Viewport {
  const lengthMs = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, (toMs - fromMs) * factor));
  const share = (aroundMs - fromMs) / (toMs - fromMs);
  const newFromMs = aroundMs - share * lengthMs;
  return { fromMs: newFromMs, toMs: newFromMs + lengthMs };
}

/** Moved by a share of its length; positive shows what comes later. */
export function pan({ fromMs, toMs }: Viewport, share: number): Viewport {
  const byMs = share * (toMs - fromMs);
  return { fromMs: fromMs + byMs, toMs: toMs + byMs };
}

/** So long, around an instant that stays where it is. */
export function ofLength(viewport: Viewport, lengthMs: number, aroundMs: number): Viewport {
  return zoom(viewport, lengthMs / (viewport.toMs - viewport.fromMs), aroundMs);
}

/** What stays where it is where nobody points at an instant: now while it is in sight, else the middle. */
export function steadyMs({ fromMs, toMs }: Viewport, nowMs: number): number {
  return nowMs >= fromMs && nowMs <= toMs ? nowMs : (fromMs + toMs) / 2;
}

/**
 * What is asked of the server for it: half its length more on each side, begun at a multiple of a quarter, so that small
 * moves ask nothing anew.
 */
export function rangeToAsk({ fromMs, toMs }: Viewport): Viewport {
  const lengthMs = toMs - fromMs;
  const stepMs = 2 ** Math.ceil(Math.log2(lengthMs / 4 / MINUTE_MS)) * MINUTE_MS;
  const from = Math.floor((fromMs - lengthMs / 4) / stepMs) * stepMs;
  const to = Math.ceil((toMs + lengthMs / 4) / stepMs) * stepMs;
  return { fromMs: from, toMs: to };
}

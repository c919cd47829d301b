import type { Clock } from "./clock.ts";

const TICK_MS = 30_000;
/** A process that is busy is late, too; one by so much has slept, or might as well have. */
const TOLERANCE_MS = 10_000;

/**
 * Notices that the machine slept: a tick comes much later than it was due. The function returned ends it.
 *
 * @param slept hears of it with the last moment that is known to be awake, and the first
 */
export function watchForSleep(clock: Clock, slept: (fromMs: number, untilMs: number) => void): () => void {
  let cancel = () => {};
  const wait = () => {
    const awakeMs = clock.nowMs();
    cancel = clock.at(awakeMs + TICK_MS, () => {
      const nowMs = clock.nowMs();
      if (nowMs > awakeMs + TICK_MS + TOLERANCE_MS) slept(awakeMs, nowMs);
      wait();
    });
  };
  wait();
  return () => cancel();
}

/** Where the runner takes its time from; tests and a sped-up runner bring their own. */
export interface Clock {
  nowMs(): number;
  /** Calls back once, at or after `timeMs`. The function returned takes the appointment back. */
  at(timeMs: number, callback: () => void): () => void;
}

/**
 * Longest single sleep. A timer counts from a clock that stands still while a laptop sleeps, and Node ends one of more
 * than 24.8 days at once; so the wall clock is looked at again this often.
 */
const LONGEST_SLEEP_MS = 30_000;

/** The machine's own clock. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  at(timeMs, callback) {
    let timer: NodeJS.Timeout;
    const sleep = () => {
      const leftMs = timeMs - Date.now();
      timer = setTimeout(leftMs > LONGEST_SLEEP_MS ? sleep : callback, Math.min(Math.max(leftMs, 0), LONGEST_SLEEP_MS));
    };
    sleep();
    return () => clearTimeout(timer);
  },
};

/** Whether a value that was read from a file is an instant in epoch milliseconds. */
export function isInstant(value: unknown): boolean {
  return typeof value === "number" && !Number.isNaN(new Date(value).getTime());
}

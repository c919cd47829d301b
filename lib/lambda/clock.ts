/** Time as the runtime sees it; tests turn a clock by hand. */
export interface Clock {
  nowMs(): number;
  /** Calls back once after `delayMs`, unless the returned function cancels it before. A timer keeps the process alive. */
  startTimer(delayMs: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  startTimer(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

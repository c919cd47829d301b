/** What asks a process to stop. */
export const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export interface Interrupt {
  readonly signal: AbortSignal;
  /** From then on a signal ends the process again. */
  release(): void;
}

/** Between this call and `release` the first Ctrl-C aborts the signal, and each further one calls `again`. */
export function listenForInterrupt(again: () => void): Interrupt {
  const controller = new AbortController();
  const hear = () => (controller.signal.aborted ? again() : controller.abort());
  for (const signal of SIGNALS) process.on(signal, hear);
  return {
    signal: controller.signal,
    release() {
      for (const signal of SIGNALS) process.off(signal, hear);
    },
  };
}

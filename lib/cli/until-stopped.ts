import type { Runner } from "../local/index.ts";

const DRAIN_MS = 5_000;

/** Resolves when the runner has stopped: on Ctrl-C after a while for the handlers at work, on a second one at once. */
export async function untilStopped(runner: Runner, print: (line: string) => void): Promise<void> {
  await nextSignal();
  print("Stopping: handlers at work have 5 seconds to end. Ctrl-C again ends them at once.");
  const drained = runner.drain(DRAIN_MS).then(() => "Stopped.");
  const aborted = nextSignal().then(async () => {
    await runner.abort();
    return "Stopped at once; what was at work is delivered again at the next start.";
  });
  print(await Promise.race([drained, aborted]));
}

function nextSignal(): Promise<void> {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  return new Promise((resolve) => {
    const seen = () => {
      for (const signal of signals) process.off(signal, seen);
      resolve();
    };
    for (const signal of signals) process.on(signal, seen);
  });
}

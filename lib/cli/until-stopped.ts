import type { Runner } from "../local/index.ts";
import { SIGNALS } from "./interrupt.ts";

const DRAIN_MS = 5_000;

/** Resolves when the runner has stopped: on Ctrl-C after a while for the handlers at work, on a second one at once. */
export async function untilStopped(runner: Runner, print: (line: string) => void): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    let stopping = false;
    // Listens to the end: a signal that nobody listens to would end this process, and nothing would be closed.
    const stop = () => {
      print(
        stopping
          ? "Stopping at once: what is at work now is delivered again at the next start."
          : "Stopping: handlers at work have 5 seconds to end. Ctrl-C again ends them at once.",
      );
      const stopped = stopping ? runner.abort() : runner.drain(DRAIN_MS);
      stopping = true;
      stopped.then(resolve, reject);
    };
    for (const signal of SIGNALS) process.on(signal, stop);
  });
  const cutShort = runner.underWay();
  print(cutShort === 0 ? "Stopped." : `Stopped. Cut short, and delivered again at the next start: ${cutShort}.`);
}

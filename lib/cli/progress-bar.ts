import { SingleBar } from "cli-progress";
import { printAside } from "./output.ts";

export interface ProgressBar {
  show(done: number, text: string): void;
  stop(): void;
}

/** On stderr: a bar where that is a terminal, else one line for each step. */
export function createProgressBar(total: number): ProgressBar {
  if (!process.stderr.isTTY) return { show: (done, text) => printAside(`${done}/${total} ${text}`), stop() {} };
  const bar = new SingleBar({
    format: "{bar} {value}/{total} {text}",
    barsize: 24,
    hideCursor: true,
    stream: process.stderr,
  });
  bar.start(total, 0, { text: "" });
  return {
    // A stopped bar would draw itself again.
    show(done, text) {
      if (bar.isActive) bar.update(done, { text });
    },
    stop: () => bar.stop(),
  };
}

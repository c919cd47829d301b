import type { JobView, RunnerEvent } from "../local/index.ts";
import { eventLine } from "./event-line.ts";
import { parseLogEntry } from "./log-line.ts";

export interface EventPrinter {
  take(event: RunnerEvent): void;
  /** Until the jobs are known, what happens to them is kept back. To be called again when they have changed. */
  release(jobs: readonly JobView[]): void;
}

/** Prints runner events under their jobs' names; of a run's progress a line for each tenth. */
export function createEventPrinter(print: (line: string) => void, nowMs: () => number): EventPrinter {
  const early: RunnerEvent[] = [];
  const tenths = new Map<string, number>();
  let names: Map<string, string> | undefined;

  const isNews = (event: RunnerEvent) => {
    if (event.kind === "finished") tenths.delete(event.requestId);
    if (event.kind !== "log" || event.requestId === undefined) return true;
    const progress = parseLogEntry(event.line)?.["progress"];
    if (typeof progress !== "number") return true;
    const tenth = Math.floor(progress * 10);
    if (tenths.get(event.requestId) === tenth) return false;
    tenths.set(event.requestId, tenth);
    return true;
  };

  const take = (event: RunnerEvent) => {
    if (!names && "functionName" in event) {
      early.push(event);
      return;
    }
    if (!isNews(event)) return;
    const line = eventLine(
      event,
      (functionName) => names?.get(functionName) ?? nameOfOther(functionName, event),
      nowMs(),
    );
    if (line !== undefined) print(line);
  };
  return {
    take,
    release(jobs) {
      names = new Map(jobs.map(({ functionName, job }) => [functionName, job]));
      for (const event of early.splice(0)) take(event);
    },
  };
}

/** A function that is no job's, as the watchdog's, says of each line whose run it is about. */
function nameOfOther(functionName: string, event: RunnerEvent): string {
  const { job, runId } = (event.kind === "log" && parseLogEntry(event.line)) || {};
  return typeof job !== "string" ? functionName : `${functionName} (${[job, runId].filter(Boolean).join(" ")})`;
}

import type { RunnerNews, RunnerSide, Worker } from "../dashboard/index.ts";
import type { Runner, RunnerEvent, Worker as Sandbox } from "../local/index.ts";
import { sleptText } from "./event-line.ts";

/** What the dashboard wants to know of the runner in this process. */
export function runnerSide(runner: Runner): RunnerSide {
  return {
    clock: runner.clock.speed === 1 ? undefined : { speed: runner.clock.speed },
    faults: runner.faults,
    nowMs: () => runner.clock.now(),
    workers: () => runner.workers().map(workerOf),
    waiting: () => runner.waiting(),
    subscribe: (listen) =>
      runner.subscribe((event) => {
        for (const news of newsOf(event, runner)) listen(news);
      }),
  };
}

function workerOf({ sinceMs, heardMs, ...sandbox }: Sandbox): Worker {
  return { ...sandbox, since: new Date(sinceMs).toISOString(), heardAt: new Date(heardMs).toISOString() };
}

function newsOf(event: RunnerEvent, runner: Runner): RunnerNews[] {
  const at = new Date(runner.clock.now()).toISOString();
  switch (event.kind) {
    case "progress":
    case "reloaded":
      return [{ kind: "notice", level: "info", at, message: event.message }];
    case "warning":
      return [{ kind: "notice", level: "warning", at, message: event.message }];
    case "fault":
      return [{ kind: "notice", level: "fault", at, message: event.message }];
    case "slept":
      return [{ kind: "notice", level: "warning", at, message: sleptText(event) }];
    case "missed":
      return [{ kind: "notice", level: "warning", at, message: missedText(event) }];
    case "log": {
      const { job, runId, atMs, line } = event;
      const changed: RunnerNews[] = job === undefined ? [] : [{ kind: "job-changed", job }];
      if (job === undefined || runId === undefined) return changed;
      return [...changed, { kind: "log", job, runId, at: new Date(atMs).toISOString(), line }];
    }
    default: {
      const changed = runner.jobs.filter(({ functionName }) => functionName === event.functionName);
      const news = changed.map(({ job }): RunnerNews => ({ kind: "job-changed", job }));
      if (event.kind === "dead-lettered") news.push({ kind: "dead-letters-changed" });
      return [...news, { kind: "workers-changed" }];
    }
  }
}

function missedText({ job, schedule, count, firstMs }: Extract<RunnerEvent, { kind: "missed" }>): string {
  const since = new Date(firstMs).toISOString();
  return `${job} missed ${count} of its schedule ${schedule} while no runner ran, or the machine slept, since ${since}; they are not run now, unless the job catches up`;
}

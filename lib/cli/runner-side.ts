import type { RunnerNews, RunnerSide, Worker } from "../dashboard/index.ts";
import type { Runner, RunnerEvent, Worker as Sandbox } from "../local/index.ts";
import { catchUpText, sleptText } from "./event-line.ts";

/** A clock that is fast stops at each appointment: nobody who counts on by its pace is further off than this makes. */
const CLOCK_TICK_MS = 1_000;

/** What the dashboard wants to know of the runner in this process. */
export function runnerSide(runner: Runner): RunnerSide {
  return {
    clock: runner.clock.speed === 1 ? undefined : runner.clock,
    faults: runner.faults,
    nowMs: () => runner.clock.now(),
    workers: () => runner.workers().map(workerOf),
    waiting: () => runner.waiting(),
    subscribe(listen) {
      const ends = [
        runner.subscribe((event) => {
          for (const news of newsOf(event, runner)) listen(news);
        }),
        runner.clock.speed === 1 ? () => {} : tellClock(runner.clock, listen),
      ];
      return () => {
        for (const end of ends) end();
      };
    },
  };
}

/** How a clock goes that is not the machine's: when its pace changes, and each second. */
function tellClock(clock: Runner["clock"], listen: (news: RunnerNews) => void): () => void {
  const tell = () => listen({ kind: "clock", now: new Date(clock.now()).toISOString(), pace: clock.pace() });
  const timer = setInterval(tell, CLOCK_TICK_MS).unref();
  const end = clock.subscribe(tell);
  return () => {
    clearInterval(timer);
    end();
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

function missedText({ job, schedule, count, firstMs, catchUp }: Extract<RunnerEvent, { kind: "missed" }>): string {
  const since = new Date(firstMs).toISOString();
  return `${job} missed ${count} of its schedule ${schedule} while no runner ran, or the machine slept, since ${since}${catchUpText(catchUp)}`;
}

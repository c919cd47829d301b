import type { JobDetail, Operations, RunView } from "../../operations/index.ts";
import type { DashboardEvent, FleetAnswer, FleetJob } from "../api.ts";
import type { EventLog } from "./event-log.ts";
import type { RunnerNews, RunnerSide } from "./runner-side.ts";

export interface WatchTimes {
  /** After a look at what has changed, none follows for so long. */
  readonly quietMs: number;
  /** How long it goes on looking when the last reader has gone: one who comes back goes on without a gap. */
  readonly lingerMs: number;
  /** How long a fleet of so many jobs is left before it is read again. */
  pollMs(jobs: number): number;
}

/** A fleet of 50 jobs or fewer is read every 5 seconds, a larger one so that it is no more than ten queries a second. */
export const WATCH_TIMES: WatchTimes = {
  quietMs: 250,
  lingerMs: 60_000,
  pollMs: (jobs) => Math.max(5_000, jobs * 100),
};

/** When more jobs than this have changed at once, one look at the whole fleet costs less than one at each. */
const MANY = 10;

/** What was last read of a job. */
interface Known {
  readonly job: FleetJob;
  readonly text: string;
  /** Runs that have changed, and that no read since has shown. */
  readonly untold: readonly string[];
  /** Counts reads: what was read before must not overwrite what was read after. */
  readonly read: number;
}

/**
 * Writes into the log what changes in the fleet: it reads when the runner says that something has happened, and from time
 * to time, since other processes and operators change it, too. It reads nothing while nobody looks.
 */
export class FleetWatch {
  readonly #operations: Operations;
  readonly #log: EventLog;
  readonly #runner: RunnerSide | undefined;
  readonly #times: WatchTimes;
  readonly #known = new Map<string, Known>();
  readonly #changed = new Set<string>();
  #lettersChanged = false;
  #workersChanged = false;
  #reads = 0;
  #readers = 0;
  #failure: string | undefined;
  #poll: NodeJS.Timeout | undefined;
  #look: NodeJS.Timeout | undefined;
  #linger: NodeJS.Timeout | undefined;

  constructor(operations: Operations, log: EventLog, runner: RunnerSide | undefined, times: WatchTimes) {
    this.#operations = operations;
    this.#log = log;
    this.#runner = runner;
    this.#times = times;
    runner?.subscribe((news) => this.#hear(news));
  }

  /** The fleet as it is now, and from which event on to hear of what changes in it. */
  async fleet(): Promise<FleetAnswer> {
    if (this.#readers === 0) this.#stayForAWhile();
    const lastEventId = this.#log.lastId;
    return { jobs: await this.#readFleet(), lastEventId };
  }

  /** A reader has come; the function returned is to be called when it has gone. */
  enter(): () => void {
    this.#readers++;
    clearTimeout(this.#linger);
    if (!this.#poll) this.#pollAfter(0);
    return () => {
      this.#readers--;
      if (this.#readers === 0) this.#stayForAWhile();
    };
  }

  #stayForAWhile(): void {
    clearTimeout(this.#linger);
    this.#linger = setTimeout(() => this.#stop(), this.#times.lingerMs).unref();
    if (!this.#poll) this.#pollAfter(this.#times.pollMs(0));
  }

  /** What changes from now on goes unseen: nobody may believe to go on from before. */
  #stop(): void {
    clearTimeout(this.#poll);
    clearTimeout(this.#look);
    this.#poll = undefined;
    this.#look = undefined;
    this.#known.clear();
    this.#changed.clear();
    this.#log.forget();
  }

  #pollAfter(ms: number): void {
    const timer = setTimeout(async () => {
      await this.#carefully(() => this.#lookAtFleet());
      // It may have been stopped, and begun anew, while it read.
      if (this.#poll === timer) this.#pollAfter(this.#times.pollMs(this.#known.size));
    }, ms).unref();
    this.#poll = timer;
  }

  #hear(news: RunnerNews): void {
    if (news.kind === "log" || news.kind === "notice") this.#append(news);
    else if (!this.#poll) return;
    else if (news.kind === "clock") this.#append(news);
    else this.#note(news);
  }

  /** Something was done to the job here: it is worth a look now. */
  touch(job: string): void {
    if (this.#poll) this.#note({ kind: "job-changed", job });
  }

  /** The same of the runner's dead letters. A stack's queue hides for half a minute what is looked at. */
  touchLetters(): void {
    if (this.#poll && this.#runner) this.#note({ kind: "dead-letters-changed" });
  }

  #note(news: Exclude<RunnerNews, DashboardEvent>): void {
    if (news.kind === "job-changed") this.#changed.add(news.job);
    if (news.kind === "dead-letters-changed") this.#lettersChanged = true;
    if (news.kind === "workers-changed") this.#workersChanged = true;
    this.#lookSoon();
  }

  #lookSoon(): void {
    this.#look ??= setTimeout(async () => {
      await this.#carefully(() => this.#lookAtChanges());
      this.#look = undefined;
      if (this.#changed.size > 0 || this.#lettersChanged || this.#workersChanged) this.#lookSoon();
    }, this.#times.quietMs).unref();
  }

  async #lookAtChanges(): Promise<void> {
    const jobs = [...this.#changed];
    this.#changed.clear();
    if (this.#workersChanged) this.#append({ kind: "workers", workers: this.#runner?.workers() ?? [] });
    this.#workersChanged = false;
    if (this.#lettersChanged) {
      this.#lettersChanged = false;
      this.#append({ kind: "dead-letters", letters: await this.#operations.deadLetters() });
    }
    if (jobs.length > MANY) await this.#readFleet();
    else await Promise.all(jobs.map((job) => this.#readJob(job)));
  }

  /** Looks closer where more runs of a job have changed than the list shows. */
  async #lookAtFleet(): Promise<void> {
    await this.#readFleet();
    const closer = [...this.#known.values()].filter(({ untold }) => untold.length > 0);
    if (closer.length === 0 || closer.length > MANY) return;
    for (const { job } of closer) this.#changed.add(job.job);
    this.#lookSoon();
  }

  async #readFleet(): Promise<FleetJob[]> {
    const read = ++this.#reads;
    const isFirst = this.#known.size === 0;
    const jobs = await this.#operations.list();
    for (const job of jobs) this.#take(job, job.lastRun ? [job.lastRun] : [], read, isFirst);
    const names = new Set(jobs.map(({ job }) => job));
    for (const [job, known] of this.#known) {
      if (names.has(job) || known.read > read) continue;
      this.#known.delete(job);
      this.#append({ kind: "job-removed", job });
    }
    return jobs;
  }

  async #readJob(name: string): Promise<void> {
    const read = ++this.#reads;
    const { job, runs } = summaryAndRuns(await this.#operations.describe(name));
    this.#take(job, runs, read, false);
  }

  /** Tells what differs from what is known; of what is seen at the very first, nothing. */
  #take(job: FleetJob, runs: readonly RunView[], read: number, isFirst: boolean): void {
    const known = this.#known.get(job.job);
    if (known && known.read > read) return;
    const text = JSON.stringify(job);
    const changed = isFirst ? [] : [...(known?.untold ?? []), ...changedRuns(known?.job, job)];
    const untold = changed.filter((runId) => !runs.some((run) => run.runId === runId));
    this.#known.set(job.job, { job, text, untold: untold.slice(-MANY), read });
    for (const run of runs) if (changed.includes(run.runId)) this.#append({ kind: "run", run });
    if (!isFirst && known?.text !== text) this.#append({ kind: "job", job });
  }

  /** What cannot be read is said once, and tried again. */
  async #carefully(step: () => Promise<unknown>): Promise<void> {
    try {
      await step();
      this.#failure = undefined;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (message === this.#failure) return;
      this.#failure = message;
      this.#append({
        kind: "notice",
        level: "warning",
        at: new Date(this.#runner?.nowMs() ?? Date.now()).toISOString(),
        message,
      });
    }
  }

  #append(event: DashboardEvent): void {
    this.#log.append(event);
  }
}

/** Those of its newest runs that are new, or have another status or duration. */
function changedRuns(before: FleetJob | undefined, now: FleetJob): string[] {
  const known = new Map(before?.recent.runs.map((run) => [run.runId, run]));
  return now.recent.runs.flatMap(({ runId, status, durationMs }) => {
    const run = known.get(runId);
    return run?.status === status && run.durationMs === durationMs ? [] : runId;
  });
}

/** A summary that has nothing of what a closer look tells besides, or it would never be as the list has it. */
type Summary = FleetJob & { readonly [name in Exclude<keyof JobDetail, keyof FleetJob>]?: never };

function summaryAndRuns(detail: JobDetail): { job: Summary; runs: readonly RunView[] } {
  const { functionName, timeoutMs, overlap, queueLength, catchUp, heartbeatMs, ...rest } = detail;
  const { maxLatenessMs, retries, retentionMs, runs, audit, ...job } = rest;
  return { job, runs };
}

import type { BackfillRequest, Operations } from "../../operations/index.ts";
import type { BackfillView } from "../api.ts";

/** What a plan has said. */
type PlannedRequest = BackfillRequest & { readonly id: string; readonly runs: readonly string[] };

interface Task {
  view: BackfillView;
  readonly stop: AbortController;
}

const MAX_AT_WORK = 5;
const MAX_REMEMBERED = 50;

/** The backfills that were asked for here: each goes on in this process. What was done is in the records, not here. */
export class Backfills {
  readonly #operations: Operations;
  readonly #onChange: (view: BackfillView) => void;
  /** The oldest first. */
  readonly #tasks = new Map<string, Task>();

  constructor(operations: Operations, onChange: (view: BackfillView) => void) {
    this.#operations = operations;
    this.#onChange = onChange;
  }

  /** Newest first. */
  list(): BackfillView[] {
    return [...this.#tasks.values()].map(({ view }) => view).reverse();
  }

  find(id: string): BackfillView | undefined {
    return this.#tasks.get(id)?.view;
  }

  /** Why none can be begun for this job now; undefined where one can. */
  obstacle(job: string): string | undefined {
    const atWork = this.list().filter(({ outcome }) => outcome === undefined);
    const ofJob = atWork.find((view) => view.job === job);
    if (ofJob) return `the backfill ${ofJob.id} of ${job} is at work; stop it first, or wait for its end`;
    return atWork.length < MAX_AT_WORK ? undefined : `${MAX_AT_WORK} backfills are at work; wait for the end of one`;
  }

  start(job: string, request: PlannedRequest, at: string): BackfillView {
    const { id, by, runs } = request;
    const task: Task = {
      view: { job, id, by, startedAt: at, total: runs.length, succeeded: 0, failed: 0 },
      stop: new AbortController(),
    };
    this.#tasks.delete(id);
    this.#tasks.set(id, task);
    this.#forgetOldest();
    const started = task.view;
    this.#onChange(started);
    void this.#run(task, job, request);
    return started;
  }

  stop(id: string): BackfillView | undefined {
    const task = this.#tasks.get(id);
    task?.stop.abort();
    return task?.view;
  }

  async #run(task: Task, job: string, request: BackfillRequest): Promise<void> {
    const tell = (change: Partial<BackfillView>) => {
      task.view = { ...task.view, ...change };
      this.#onChange(task.view);
    };
    try {
      const { outcome } = await this.#operations.backfill(
        job,
        request,
        ({ total, succeeded, failed }) => tell({ total, succeeded, failed }),
        task.stop.signal,
      );
      tell({ outcome });
    } catch (error) {
      tell({ outcome: "broken-off", message: error instanceof Error ? error.message : String(error) });
    }
  }

  #forgetOldest(): void {
    for (const [id, { view }] of this.#tasks) {
      if (this.#tasks.size <= MAX_REMEMBERED) return;
      if (view.outcome !== undefined) this.#tasks.delete(id);
    }
  }
}

import { type CancelAnswer, requestCancel, type WithdrawAnswer, withdraw } from "../run/index.ts";
import { perform } from "../store/index.ts";
import { type ActorWithReason, operatorOf } from "./actor.ts";
import { type Backend, findJob } from "./backend.ts";
import { instantText } from "./instants.ts";

export interface CancelRequest extends ActorWithReason {
  /** This run and no other; one that waits for the job's lock is taken out of the queue. @default whichever is at work */
  readonly runId?: string | undefined;
}

export interface Cancelled {
  readonly job: string;
  /**
   * `asked`: the run is told at its next heartbeat, and ends as `CANCELLED` unless it is done before. `cannot-hear`: its
   * job has no heartbeat, so that nothing reaches it. `withdrawn`: it waited, and is recorded as skipped; `withdrawn-before`:
   * somebody else came first. `has-started`: it waits for its next attempt, which comes.
   */
  readonly outcome: CancelAnswer["kind"] | Exclude<WithdrawAnswer["kind"], "not-waiting">;
  readonly runId?: string | undefined;
  /** Where it was asked: it hears of it within that time. */
  readonly heartbeatMs?: number | undefined;
  /** Where it was asked before: by whom, and why. */
  readonly askedBy?: string | undefined;
  readonly askedReason?: string | undefined;
  /** Where it was withdrawn before: by whom and why, in words. */
  readonly withdrawal?: string | undefined;
  /** Where it cannot hear: its lock ends then, and it with it. */
  readonly endsAt?: string | undefined;
}

/** Asks the run that holds the job's lock to stop; a run that is named may wait for the lock instead. */
export async function cancelRun(backend: Backend, name: string, request: CancelRequest): Promise<Cancelled> {
  const job = await findJob(backend, name);
  const { runId, by, reason } = request;
  const operator = operatorOf({ by, reason }, job);
  const taken = runId === undefined ? undefined : await perform(withdraw(name, runId, operator), backend.store);
  if (taken?.kind === "withdrawn") return { job: name, outcome: taken.kind, runId };
  if (taken?.kind === "withdrawn-before") return { job: name, outcome: taken.kind, runId, withdrawal: taken.said };
  const answer = await perform(requestCancel(name, operator, runId), backend.store);
  if (answer.kind === "not-running" && taken?.kind === "has-started") return { job: name, outcome: taken.kind, runId };
  return cancelled(name, answer);
}

function cancelled(job: string, answer: CancelAnswer): Cancelled {
  switch (answer.kind) {
    case "asked":
      return { job, outcome: answer.kind, runId: answer.runId, heartbeatMs: answer.heartbeatMs };
    case "asked-before": {
      const { by: askedBy, reason: askedReason } = answer.stop;
      return { job, outcome: answer.kind, runId: answer.runId, askedBy, askedReason };
    }
    case "cannot-hear":
      return { job, outcome: answer.kind, runId: answer.runId, endsAt: instantText(answer.untilMs) };
    case "not-running":
      return { job, outcome: answer.kind };
  }
}

import { type CancelAnswer, requestCancel } from "../run/index.ts";
import { perform } from "../store/index.ts";
import { type ActorWithReason, operatorOf } from "./actor.ts";
import { type Backend, findJob } from "./backend.ts";
import { instantText } from "./instants.ts";

export interface Cancelled {
  readonly job: string;
  /**
   * `asked`: the run is told at its next heartbeat, and ends as `CANCELLED` unless it is done before. `cannot-hear`: its
   * job has no heartbeat, so that nothing reaches it.
   */
  readonly outcome: CancelAnswer["kind"];
  readonly runId?: string | undefined;
  /** Where it was asked: it hears of it within that time. */
  readonly heartbeatMs?: number | undefined;
  /** Where it was asked before: by whom, and why. */
  readonly askedBy?: string | undefined;
  readonly askedReason?: string | undefined;
  /** Where it cannot hear: its lock ends then, and it with it. */
  readonly endsAt?: string | undefined;
}

/** Asks the run that holds the job's lock to stop. */
export async function cancelRun(backend: Backend, name: string, request: ActorWithReason): Promise<Cancelled> {
  const job = await findJob(backend, name);
  const answer = await perform(requestCancel(name, operatorOf(request, job)), backend.store);
  switch (answer.kind) {
    case "asked":
      return { job: name, outcome: answer.kind, runId: answer.runId, heartbeatMs: answer.heartbeatMs };
    case "asked-before": {
      const { by: askedBy, reason: askedReason } = answer.stop;
      return { job: name, outcome: answer.kind, runId: answer.runId, askedBy, askedReason };
    }
    case "cannot-hear":
      return { job: name, outcome: answer.kind, runId: answer.runId, endsAt: instantText(answer.untilMs) };
    case "not-running":
      return { job: name, outcome: answer.kind };
  }
}

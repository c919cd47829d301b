import { unlock } from "../run/index.ts";
import { perform } from "../store/index.ts";
import { type ActorWithReason, operatorOf } from "./actor.ts";
import { type Backend, findJob } from "./backend.ts";
import type { LockView } from "./job-types.ts";
import { lockView } from "./views.ts";

export interface UnlockRequest extends ActorWithReason {
  /** The `owner` of the lock that was looked at: a lock that has passed to another one stays. */
  readonly owner: string;
}

/** Nothing was done where it is not `unlocked`. */
export interface Unlocked {
  readonly job: string;
  readonly outcome: "unlocked" | "not-locked" | "conflict";
  /** The lock that was taken away; where it is a conflict, the one that stands. */
  readonly lock?: LockView | undefined;
}

/** Takes the lock from its holder, whose code may still be at work; what it writes under its lock is refused. */
export async function unlockJob(backend: Backend, name: string, request: UnlockRequest): Promise<Unlocked> {
  const job = await findJob(backend, name);
  const answer = await perform(unlock(name, operatorOf(request, job), request.owner), backend.store);
  if (answer.kind === "not-locked") return { job: name, outcome: answer.kind };
  const lease = answer.kind === "unlocked" ? answer.lease : answer.state.lease;
  return { job: name, outcome: answer.kind, lock: lockView(lease, backend) };
}

import { isPausedAt, type Pause, pause, resume, type JobState as StoredState } from "../run/index.ts";
import { perform } from "../store/index.ts";
import { type Actor, type ActorWithReason, operatorOf } from "./actor.ts";
import { type Backend, findJob } from "./backend.ts";
import { OperationError } from "./errors.ts";
import { instantText, parseInstant } from "./instants.ts";
import { optionalInstant } from "./views.ts";

export interface PauseView {
  readonly by: string;
  readonly reason: string;
  readonly at: string;
  /** From then on the job runs again by itself. */
  readonly until?: string | undefined;
}

export interface PauseRequest extends ActorWithReason {
  /** ISO 8601 with `Z` or an offset. @default until it is resumed */
  readonly until?: string | undefined;
}

/** Nothing was done where it is not `paused`: `conflict` is a second operator who was faster. */
export interface Paused {
  readonly job: string;
  readonly outcome: "paused" | "already-paused" | "conflict";
  /** The pause as it stands. */
  readonly paused?: PauseView | undefined;
}

export interface ResumeRequest extends Actor {
  /** The `at` of the pause that was looked at: another one stays. @default whichever there is */
  readonly pausedAt?: string | undefined;
}

export interface Resumed {
  readonly job: string;
  readonly outcome: "resumed" | "not-paused" | "conflict";
  /** The pause that has ended; where it is a conflict, the one that stands. */
  readonly paused?: PauseView | undefined;
}

export async function pauseJob(backend: Backend, name: string, request: PauseRequest): Promise<Paused> {
  const job = await findJob(backend, name);
  const untilMs = request.until === undefined ? undefined : parseInstant("until", request.until);
  if (untilMs !== undefined && untilMs <= backend.nowMs()) {
    throw new OperationError("INVALID_INPUT", `until ${request.until} has passed; a pause ends in the future`);
  }
  const answer = await perform(pause(name, operatorOf(request, job), untilMs), backend.store);
  const paused = answer.kind === "conflict" ? answer.state.paused : answer.paused;
  return { job: name, outcome: answer.kind, paused: paused && pauseView(paused) };
}

export async function resumeJob(backend: Backend, name: string, request: ResumeRequest): Promise<Resumed> {
  const job = await findJob(backend, name);
  const seenMs = request.pausedAt === undefined ? undefined : parseInstant("pausedAt", request.pausedAt);
  const answer = await perform(resume(name, operatorOf(request, job), seenMs), backend.store);
  if (answer.kind === "not-paused") return { job: name, outcome: answer.kind };
  const paused = answer.kind === "conflict" ? answer.state.paused : answer.paused;
  return { job: name, outcome: answer.kind, paused: paused && pauseView(paused) };
}

export function pausedNow(state: StoredState | undefined, nowMs: number): Pause | undefined {
  return state && isPausedAt(state, nowMs) ? state.paused : undefined;
}

export function pauseView({ by, reason, atMs, untilMs }: Pause): PauseView {
  return { by, reason, at: instantText(atMs), until: optionalInstant(untilMs) };
}

import { isPausedAt, type Pause, pause, resume, type JobState as StoredState } from "../run/index.ts";
import { perform } from "../store/index.ts";
import { type Actor, type ActorWithReason, operatorOf } from "./actor.ts";
import { type Backend, findJob } from "./backend.ts";
import { NEWEST_RUNS } from "./due.ts";
import { OperationError } from "./errors.ts";
import { instantText, parseInstant } from "./instants.ts";
import { occurrencesOf } from "./occurrences.ts";

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

/** What a pause has held up so far. */
export interface PauseLook {
  readonly job: string;
  readonly paused?: PauseView | undefined;
  /** Occurrences since then, recorded as skipped; they stay so. Counted up to 10,000. */
  readonly skipped: { readonly count: number; readonly first?: string | undefined; readonly last?: string | undefined };
  /** The next occurrence, which runs if the job is resumed now. */
  readonly next?: string | undefined;
}

const MAX_COUNTED = 10_000;

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

export async function lookAtPause(backend: Backend, name: string): Promise<PauseLook> {
  const job = await findJob(backend, name);
  const { state, runs } = await backend.records.readJob(name, { limit: NEWEST_RUNS });
  const nowMs = backend.nowMs();
  const paused = pausedNow(state, nowMs);
  const isDue = job.enabled && job.removedMs === undefined;
  const held = paused && isDue ? occurrencesOf(job, { fromMs: paused.atMs, toMs: nowMs }, MAX_COUNTED, runs) : [];
  const [next] = isDue ? occurrencesOf(job, { fromMs: nowMs, toMs: Number.POSITIVE_INFINITY }, 1, runs) : [];
  return {
    job: name,
    paused: paused && pauseView(paused),
    skipped: { count: held.length, first: optionalText(held[0]?.timeMs), last: optionalText(held.at(-1)?.timeMs) },
    next: optionalText(next?.timeMs),
  };
}

export function pausedNow(state: StoredState | undefined, nowMs: number): Pause | undefined {
  return state && isPausedAt(state, nowMs) ? state.paused : undefined;
}

export function pauseView({ by, reason, atMs, untilMs }: Pause): PauseView {
  return { by, reason, at: instantText(atMs), until: optionalText(untilMs) };
}

function optionalText(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : instantText(ms);
}

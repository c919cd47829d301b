import { randomUUID } from "node:crypto";
import { isFinal, manualRunId, note, type RunRecord, startEvent } from "../run/index.ts";
import { shown } from "../schedule/index.ts";
import { perform } from "../store/index.ts";
import { type Actor, type ActorWithReason, checkActor, operatorOf } from "./actor.ts";
import { type Backend, findJob } from "./backend.ts";
import { worksFor } from "./backfill/rerun.ts";
import { type DeadRun, deadRun } from "./dead-run.ts";
import { OperationError } from "./errors.ts";
import { requireInvoke } from "./invoke-function.ts";

/** An event that failed for good, wherever it is kept. */
export interface DeadLetter {
  readonly id: string;
  readonly at?: string | undefined;
  /** Who gave it up: the function's queue, the schedule, or the rule of run requests. */
  readonly from: "function" | "schedule" | "rule";
  /** The function it was for, where that is known. */
  readonly functionName?: string | undefined;
  /** Why it was given up, in AWS's word: `RetriesExhausted`, `EventAgeExceeded`, … */
  readonly condition?: string | undefined;
  readonly error?: { readonly name: string; readonly message: string } | undefined;
  readonly payload: unknown;
}

/** Where the events that failed for good are kept. */
export interface DeadLetterBox {
  /** Each letter once, fetched a few at a time: who works on them does not keep the rest from others meanwhile. */
  read(): AsyncIterable<DeadLetter>;
  remove(id: string): Promise<void>;
}

export interface DeadLetterView extends DeadLetter {
  /** Of an event of ours: the job and the run that it was to start. */
  readonly job?: string | undefined;
  readonly runId?: string | undefined;
}

export interface Resent {
  readonly id: string;
  readonly job?: string | undefined;
  /** The run that it starts now. Absent for an event whose run is known only once it arrives. */
  readonly runId?: string | undefined;
  /**
   * `done`: its run has ended for good since, so that nothing is sent. Either way the letter is gone. `failed`: it stays.
   */
  readonly outcome: "sent" | "done" | "failed";
  /** Where it failed: why, and what to do. */
  readonly message?: string | undefined;
}

export interface Discarded {
  readonly id: string;
  readonly job?: string | undefined;
}

export async function listDeadLetters({ deadLetters }: Pick<Backend, "deadLetters">): Promise<DeadLetterView[]> {
  const found: DeadLetterView[] = [];
  for await (const letter of deadLetters.read()) {
    const run = deadRun(letter.payload);
    found.push({ ...letter, job: run?.job, runId: run?.runId });
  }
  return found;
}

/**
 * Starts again what failed for good, and removes each letter once its event is on its way. One that cannot be sent stays,
 * and does not keep the others.
 *
 * A run that never had a record, or has attempts left, runs under its own identity. One that has none left keeps its
 * record, and a manual run works in its place. That run is named after the letter: sent twice, it runs once.
 *
 * @param id of one letter, or undefined for all
 */
export async function resend(backend: Backend, id: string | undefined, actor: Actor): Promise<Resent[]> {
  checkActor(actor);
  requireInvoke(backend);
  if (id !== undefined) return [await resendOne(backend, await findLetter(backend, id), actor)];
  const resent: Resent[] = [];
  for await (const letter of backend.deadLetters.read()) resent.push(await resendOne(backend, letter, actor));
  return resent;
}

/** Removes a letter unsent, which cannot be taken back. Where its job is known, its audit says who did and why. */
export async function discard(backend: Backend, id: string, actor: ActorWithReason): Promise<Discarded> {
  checkActor(actor);
  const letter = await findLetter(backend, id);
  const run = deadRun(letter.payload);
  const { jobs } = await backend.fleet.readFleet();
  const job = jobs.find((known) => known.job === run?.job);
  if (job) {
    const detail = `the dead letter ${id}${run?.runId === undefined ? "" : `, for run ${run.runId}`}`;
    await perform(note(job.job, "discard", operatorOf(actor, job), backend.nowMs(), detail), backend.store);
  }
  await backend.deadLetters.remove(id);
  return { id, job: run?.job };
}

async function findLetter({ deadLetters }: Backend, id: string): Promise<DeadLetter> {
  for await (const letter of deadLetters.read()) if (letter.id === id) return letter;
  const message = `there is no dead letter ${shown(id)}; the command "dead-letters" lists them`;
  throw new OperationError("UNKNOWN_LETTER", message);
}

async function resendOne(backend: Backend, letter: DeadLetter, actor: Actor): Promise<Resent> {
  try {
    const resent = await send(backend, letter, actor);
    await backend.deadLetters.remove(letter.id);
    return resent;
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error; // a fault of ours
    return { id: letter.id, outcome: "failed", message: error.message };
  }
}

async function send(backend: Backend, letter: DeadLetter, actor: Actor): Promise<Resent> {
  const run = deadRun(letter.payload);
  if (run) return sendRun(backend, letter, run, actor);
  if (letter.functionName === undefined) {
    const message = `the dead letter ${letter.id} says neither a job nor a function; read it with --json, trigger the job, and discard it`;
    throw new OperationError("UNKNOWN_LETTER", message);
  }
  await requireInvoke(backend)(letter.functionName, letter.payload as object);
  return { id: letter.id, outcome: "sent" };
}

async function sendRun(backend: Backend, { id, at }: DeadLetter, dead: DeadRun, actor: Actor): Promise<Resent> {
  const job = await findJob(backend, dead.job);
  const readRun = async (runId: string) => {
    const run = await backend.records.readRun(job.job, runId);
    if (run) refuseAtWork(run);
    return run;
  };
  const own = dead.runId === undefined ? undefined : await readRun(dead.runId);
  if (own && isFinal(own.status)) return { id, job: job.job, runId: own.runId, outcome: "done" };
  const atMs = Date.parse(at ?? "");
  const mayRunItself = dead.runId !== undefined && (!own || own.attempt <= job.retries);
  const runId = mayRunItself ? dead.runId : manualRunId(id, Number.isNaN(atMs) ? undefined : atMs);
  if (!mayRunItself) {
    const inItsPlace = await readRun(runId);
    if (inItsPlace && isFinal(inItsPlace.status)) return { id, job: job.job, runId, outcome: "done" };
    const rerun = await rerunFor(backend, dead);
    if (rerun) return { id, job: job.job, runId: rerun.runId, outcome: "done" };
  }
  const event = startEvent(job.job, {
    runId,
    cause: "backfill",
    id: randomUUID(),
    trigger: { kind: "operator", by: actor.by, reason: actor.reason },
    ...(!mayRunItself && { workTimeMs: dead.workTimeMs, workSchedule: dead.workSchedule }),
    input: dead.input,
  });
  await requireInvoke(backend)(job.functionName, event);
  const detail = `the dead letter ${id} as run ${runId}`;
  await perform(note(job.job, "resend", operatorOf(actor, job), backend.nowMs(), detail), backend.store);
  return { id, job: job.job, runId, outcome: "sent" };
}

/** @throws OperationError `AT_WORK`: what becomes of a letter is known when its run has ended */
function refuseAtWork({ runId, status }: RunRecord): void {
  if (status !== "RUNNING") return;
  throw new OperationError("AT_WORK", `its run ${runId} is at work; send it again when that has failed`);
}

/** The manual run, a backfill's say, that has done the work of an occurrence whose own record stays as it is. */
async function rerunFor({ records }: Backend, { job, workTimeMs: timeMs, workSchedule: schedule }: DeadRun) {
  if (timeMs === undefined) return undefined;
  const later = await records.listRuns(job, { sinceMs: timeMs, limit: Number.POSITIVE_INFINITY });
  const reruns = later.filter((run) => worksFor(run, { schedule, timeMs }));
  const done = reruns.find(({ status }) => status === "SUCCEEDED");
  if (!done) reruns.forEach(refuseAtWork);
  return done;
}

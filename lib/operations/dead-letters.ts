import { randomUUID } from "node:crypto";
import { isFinal, manualRunId, note, startEvent } from "../run/index.ts";
import { shown } from "../schedule/index.ts";
import { perform } from "../store/index.ts";
import { type Actor, checkActor, operatorOf, shortId } from "./actor.ts";
import { type Backend, findJob } from "./backend.ts";
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
  list(): Promise<DeadLetter[]>;
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
  /** `done`: its run has ended for good since, so that nothing is sent. Either way the letter is gone. */
  readonly outcome: "sent" | "done";
}

export async function listDeadLetters(backend: Backend): Promise<DeadLetterView[]> {
  const letters = await backend.deadLetters.list();
  return letters.map((letter) => {
    const run = deadRun(letter.payload);
    return { ...letter, job: run?.job, runId: run?.runId };
  });
}

/**
 * Starts again what failed for good, and removes each letter once its event is on its way.
 *
 * A run that never had a record, or has attempts left, runs under its own identity. One that has none left keeps its
 * record, and a manual run works in its place.
 *
 * @param id of one letter, or undefined for all
 */
export async function resend(backend: Backend, id: string | undefined, actor: Actor): Promise<Resent[]> {
  checkActor(actor);
  requireInvoke(backend);
  const letters = await backend.deadLetters.list();
  const wanted = id === undefined ? letters : letters.filter((letter) => letter.id === id);
  if (id !== undefined && wanted.length === 0) {
    throw new OperationError(
      "UNKNOWN_LETTER",
      `there is no dead letter ${shown(id)}; the command "dead-letters" lists them`,
    );
  }
  const resent: Resent[] = [];
  for (const letter of wanted) {
    resent.push(await resendOne(backend, letter, actor));
    await backend.deadLetters.remove(letter.id);
  }
  return resent;
}

async function resendOne(backend: Backend, letter: DeadLetter, actor: Actor): Promise<Resent> {
  const run = deadRun(letter.payload);
  if (run) return resendRun(backend, letter.id, run, actor);
  if (letter.functionName === undefined) {
    const message = `the dead letter ${letter.id} says neither a job nor a function; read it with --json and trigger the job`;
    throw new OperationError("UNKNOWN_LETTER", message);
  }
  await requireInvoke(backend)(letter.functionName, letter.payload as object);
  return { id: letter.id, outcome: "sent" };
}

async function resendRun(backend: Backend, id: string, dead: DeadRun, actor: Actor): Promise<Resent> {
  const job = await findJob(backend, dead.job);
  const record = dead.runId === undefined ? undefined : await backend.records.readRun(job.job, dead.runId);
  if (record && isFinal(record.status)) return { id, job: job.job, runId: dead.runId, outcome: "done" };
  const nowMs = backend.nowMs();
  const mayRunItself = dead.runId !== undefined && (!record || record.attempt <= job.retries);
  const runId = mayRunItself && dead.runId !== undefined ? dead.runId : manualRunId(shortId(), nowMs);
  const event = startEvent(job.job, {
    runId,
    cause: "backfill",
    id: randomUUID(),
    trigger: { kind: "operator", by: actor.by, reason: actor.reason },
    ...(!mayRunItself && { workTimeMs: dead.workTimeMs }),
    input: dead.input,
  });
  await requireInvoke(backend)(job.functionName, event);
  const detail = `the dead letter ${id} as run ${runId}`;
  await perform(note(job.job, "resend", operatorOf(actor, job), nowMs, detail), backend.store);
  return { id, job: job.job, runId, outcome: "sent" };
}

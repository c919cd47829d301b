import { randomUUID } from "node:crypto";
import { isFinal, manualRunId, type RunRecord } from "../run/index.ts";
import type { ListedJob } from "../store/index.ts";
import { type Backend, findJob, zoneOf } from "./backend.ts";
import { OperationError } from "./errors.ts";
import type { RunView, Triggered, TriggerRequest } from "./types.ts";
import { lockView, runView } from "./views.ts";

const MAX_REASON_LENGTH = 512;
const POLL_MS = 500;
/** Lambda delivers a failed event again after one and then two minutes; the rest is for a queue that is slow. */
const BETWEEN_ATTEMPTS_MS = 3 * 60_000;

/** Starts one run outside the schedule. Its id is known before anything has run. */
export async function triggerJob(backend: Backend, name: string, request: TriggerRequest): Promise<Triggered> {
  const { by, reason, input } = request;
  if (reason !== undefined && reason.length > MAX_REASON_LENGTH) {
    throw new OperationError(
      "INVALID_INPUT",
      `the reason has ${reason.length} characters; at most ${MAX_REASON_LENGTH} are kept`,
    );
  }
  const job = await findJob(backend, name);
  if (!backend.invoke) {
    throw new OperationError(
      "NOT_RUNNING",
      `no runner is running on ${backend.target.stateDir}, so nothing can be triggered; start one with: npm start`,
    );
  }
  const requestedMs = backend.nowMs();
  const id = randomUUID().slice(0, 8); // unique beside its millisecond, and short enough to be typed
  const runId = manualRunId(id, requestedMs);
  const { state } = await backend.records.readJob(name, { limit: 1 });
  const lock = lockView(state, requestedMs);

  await backend.invoke(job.functionName, {
    escapement: { job: name, request: { id, at: new Date(requestedMs).toISOString(), by, reason } },
    input,
  });
  const triggered = { job: name, runId, heldBy: lock && !lock.dead ? lock.runId : undefined };
  return request.wait ? { ...triggered, run: await follow(backend, job, runId, request.wait) } : triggered;
}

/** Waits until the run is final or has no attempt left. */
async function follow(
  backend: Backend,
  job: ListedJob,
  runId: string,
  { onChange }: NonNullable<TriggerRequest["wait"]>,
): Promise<RunView> {
  const maxAttempts = job.retries + 1;
  const giveUpMs = backend.nowMs() + maxAttempts * (job.timeoutMs + BETWEEN_ATTEMPTS_MS);
  let known = "";
  while (backend.nowMs() < giveUpMs) {
    const record = await backend.records.readRun(job.job, runId);
    const view = record && runView(record, zoneOf(job, undefined));
    const change = JSON.stringify(view) ?? "";
    if (view && change !== known) onChange?.(view);
    known = change;
    if (record && view && hasEnded(record, maxAttempts)) return view;
    await backend.sleep(POLL_MS);
  }
  throw new OperationError(
    "WAIT_TIMED_OUT",
    `run ${runId} has not ended in the time that all its attempts may take; see: escapement run ${job.job} "${runId}"`,
  );
}

function hasEnded({ status, attempt }: RunRecord, maxAttempts: number): boolean {
  return isFinal(status) || (status !== "RUNNING" && attempt >= maxAttempts);
}

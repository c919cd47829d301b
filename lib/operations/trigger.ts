import { randomUUID } from "node:crypto";
import { manualRunId } from "../run/index.ts";
import { type Backend, findJob } from "./backend.ts";
import { OperationError } from "./errors.ts";
import type { Triggered, TriggerRequest } from "./types.ts";
import { lockView } from "./views.ts";

const MAX_REASON_LENGTH = 512;

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
  const lock = lockView(state, backend);

  await backend.invoke(job.functionName, {
    escapement: { job: name, request: { id, at: new Date(requestedMs).toISOString(), by, reason } },
    input,
  });
  return { job: name, runId, heldBy: lock && !lock.dead ? lock.runId : undefined };
}

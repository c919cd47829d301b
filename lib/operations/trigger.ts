import { manualRunId } from "../run/index.ts";
import { checkActor, shortId } from "./actor.ts";
import { type Backend, findJob } from "./backend.ts";
import { requireInvoke } from "./invoke-function.ts";
import { checkJson } from "./json-input.ts";
import type { Triggered, TriggerRequest } from "./types.ts";
import { lockView } from "./views.ts";

/** Starts one run outside the schedule. Its id is known before anything has run. */
export async function triggerJob(backend: Backend, name: string, request: TriggerRequest): Promise<Triggered> {
  const { by, reason, input } = request;
  checkActor(request);
  if (input !== undefined) checkJson(input, "input");
  const job = await findJob(backend, name);
  const invoke = requireInvoke(backend);
  const requestedMs = backend.nowMs();
  const id = shortId();
  const runId = manualRunId(id, requestedMs);
  const { state } = await backend.records.readJob(name, { limit: 1 });
  const lock = lockView(state?.lease, backend);

  await invoke(job.functionName, {
    escapement: { job: name, request: { id, at: new Date(requestedMs).toISOString(), by, reason } },
    input,
  });
  if (!lock || lock.dead) return { job: name, runId };
  const { overlap, queueLength: length } = job;
  const queue = overlap === "queue" ? { waiting: state?.queue?.length ?? 0, length } : undefined;
  return { job: name, runId, heldBy: lock.runId, overlap, queue };
}

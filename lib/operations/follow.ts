import { isFinal, type RunRecord } from "../run/index.ts";
import { type Backend, findJob } from "./backend.ts";
import { OperationError } from "./errors.ts";
import type { RunView } from "./types.ts";
import { runView } from "./views.ts";

const POLL_MS = 500;
/** Lambda delivers a failed event again after one and then two minutes; the rest is for a queue that is slow. */
const BETWEEN_ATTEMPTS_MS = 3 * 60_000;

/** Waits until the run is final or has no attempt left. A run that has no record yet is waited for, too. */
export async function followRun(
  backend: Backend,
  name: string,
  runId: string,
  onChange: (run: RunView) => void = () => {},
): Promise<RunView> {
  const job = await findJob(backend, name);
  const maxAttempts = job.retries + 1;
  const giveUpMs = backend.nowMs() + maxAttempts * (job.timeoutMs + BETWEEN_ATTEMPTS_MS);
  let known: string | undefined;
  while (backend.nowMs() < giveUpMs) {
    const record = await backend.records.readRun(name, runId);
    if (record) {
      const view = runView(record, job, backend);
      const text = JSON.stringify(view);
      if (text !== known) onChange(view);
      known = text;
      if (hasEnded(record, maxAttempts)) return view;
    }
    await backend.sleep(POLL_MS);
  }
  throw new OperationError(
    "WAIT_TIMED_OUT",
    `run ${runId} has not ended in the time that all its attempts may take; the command "run ${name}" with its id shows how far it is`,
  );
}

function hasEnded({ status, attempt }: RunRecord, maxAttempts: number): boolean {
  return isFinal(status) || (status !== "RUNNING" && attempt >= maxAttempts);
}

import { isFinal } from "../run/index.ts";
import { type Backend, findJob } from "./backend.ts";
import { OperationError } from "./errors.ts";
import type { RunView } from "./run-types.ts";
import { findRun } from "./runs.ts";

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
  const patienceMs = maxAttempts * (job.timeoutMs + BETWEEN_ATTEMPTS_MS);
  let giveUpMs = backend.nowMs() + patienceMs;
  let known: string | undefined;
  while (backend.nowMs() < giveUpMs) {
    const run = await findRun(backend, job, runId);
    if (run) {
      const text = JSON.stringify(run);
      if (text !== known) onChange(run);
      known = text;
      if (hasEnded(run, maxAttempts)) return run;
      // How long those before it take is not known.
      if (run.waiting) giveUpMs = backend.nowMs() + patienceMs;
    }
    await backend.sleep(POLL_MS);
  }
  throw new OperationError(
    "WAIT_TIMED_OUT",
    `run ${runId} has not ended in the time that all its attempts may take; the command "run ${name}" with its id shows how far it is`,
  );
}

function hasEnded({ status, attempts }: RunView, maxAttempts: number): boolean {
  if (status === "WAITING" || status === "RUNNING") return false;
  return isFinal(status) || (attempts.at(-1)?.attempt ?? 0) >= maxAttempts;
}

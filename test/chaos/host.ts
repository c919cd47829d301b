import "./warp.ts";
import type { Context } from "aws-lambda";
import { createRuntime } from "../../lib/lambda/runtime.ts";
import { scheduledIn } from "../../lib/lambda/scheduled.ts";
import { environment } from "./environment.ts";
import { createHandler, type Input } from "./handler.ts";
import { type Answer, appendTo } from "./history.ts";
import { JOBS } from "./jobs.ts";
import { brokenStore, MUTANTS } from "./mutants.ts";
import { warpedMs } from "./warped-time.ts";

// An execution environment of one job's function, as Lambda's: one invocation after the other, until it is killed.

export interface Invocation {
  readonly id: string;
  readonly event: unknown;
  readonly requestId: string;
  /** By the platform's clock. */
  readonly deadlineMs: number;
}

const { job, time, historyFile, mutant } = environment();
const note = appendTo(historyFile);
const found = JOBS[job];
if (!found) throw new Error(`no job ${job}`);

let current: Invocation;
const work = createHandler({ job, ...found, note, nowMs: () => warpedMs(time), invocation: () => current });
const breaks = MUTANTS[mutant];
const runtime = () => {
  const shipped = createRuntime();
  return breaks ? { ...shipped, store: brokenStore(shipped.fleet, breaks) } : shipped;
};
const handler = scheduledIn<Input>(runtime, found.options, work);

process.on("message", async (invocation: Invocation) => {
  current = invocation;
  const { event, requestId, deadlineMs } = invocation;
  // As Lambda's runtime client: what is left is counted by this process's clock.
  const context = {
    awsRequestId: requestId,
    logStreamName: `host-${process.pid}`,
    getRemainingTimeInMillis: () => deadlineMs - Date.now(),
  } as Context;
  process.send?.(await handler(event, context).then(answerOf, failed));
});
process.on("disconnect", () => process.exit());
// The first request takes far longer than the others; Lambda's time limit does not count this part.
await createRuntime()
  .store.execute({ kind: "read-state", job })
  .catch(() => {});
process.send?.("ready");

function answerOf(result: unknown): Answer {
  const isAnswer = typeof result === "object" && result !== null && "outcome" in result;
  return isAnswer ? (result as Answer) : { outcome: "completed" };
}

function failed(error: unknown): Answer {
  return { outcome: "failed", error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
}

import type { Protocol } from "./command.ts";
import { runTimeMs } from "./identity.ts";
import type { Hold } from "./outcome.ts";
import type { Success } from "./state.ts";

/** The state knows the newest success; only a run that is not newer than that has to look among the records. */
export function* previousSuccess({ delivery, tally, startedMs }: Hold): Protocol<Success | undefined> {
  const { lastSuccess } = tally;
  const beforeMs = delivery.workTimeMs ?? runTimeMs(delivery.runId) ?? startedMs;
  if (!lastSuccess || lastSuccess.scheduledTimeMs < beforeMs) return lastSuccess;
  let reply = yield { kind: "find-success", job: delivery.job, beforeMs };
  while (!reply.success && reply.cursor) {
    reply = yield { kind: "find-success", job: delivery.job, beforeMs, cursor: reply.cursor };
  }
  return reply.success;
}

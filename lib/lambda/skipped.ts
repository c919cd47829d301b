import type { RunStatus, SharedLockHeld, SkipReason } from "../run/index.ts";
import { within } from "./deadline.ts";
import type { Invocation } from "./invocation.ts";
import { summariseError } from "./summary.ts";

/** A delivery that runs nothing, as `onSkipped` is told of it. */
export type Skipped = { readonly job: string; readonly runId: string } & (
  | {
      /** Another delivery runs this occurrence, or has run it; `status` says how that run stands. */
      readonly reason: "duplicate";
      readonly status: RunStatus;
    }
  | {
      readonly reason: SkipReason;
      /** The run that held the lock. */
      readonly heldBy?: string | undefined;
      /** That run had timed out or crashed, and its job holds the lock after that. */
      readonly heldOver?: true | undefined;
      /** As many runs waited for the lock as may. Then `heldBy` is absent where nobody was at work. */
      readonly queueFull?: true | undefined;
      /** Where that was a shared lock: its name, and the job whose run held it. */
      readonly sharedLock?: SharedLockHeld | undefined;
    }
);

/** Calls the job's `onSkipped` and waits for it while there is time. The invocation's answer does not depend on it. */
export async function tellSkipped({ runtime, job, deadline, log }: Invocation, skipped: Skipped): Promise<void> {
  const { onSkipped } = job;
  if (!onSkipped) return;
  const call = async () => {
    try {
      await onSkipped(skipped);
    } catch (thrown) {
      log.warn("onSkipped failed", { failure: summariseError(thrown, job.redact) });
    }
    return { ended: true };
  };
  const inTime = await within(runtime.clock, deadline.ms - job.deadlineMarginMs, call());
  if (!inTime) log.warn("onSkipped had not ended when the time was up");
}

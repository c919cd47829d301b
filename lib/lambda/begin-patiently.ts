import { randomUUID } from "node:crypto";
import { type Begun, begin, type Delivery, giveBack, isMine, nextLookMs, waitsUntilMs } from "../run/index.ts";
import { perform, type RunStore } from "../store/index.ts";
import type { Invocation } from "./invocation.ts";
import { storeToBegin } from "./persistent-store.ts";

const STAYS_CLOSED = "the lock could not be given back; it ends at the deadline";

/**
 * Begins the run, and waits where a holder was asked to stop: looking again each quarter of the holder's heartbeat, for
 * as long as the protocol says and there is time. Nothing is held meanwhile. Then a held lock is a reason to skip.
 */
export async function beginPatiently(invocation: Invocation): Promise<Exclude<Begun, { kind: "wait" }>> {
  const { runtime, deadline, job, log } = invocation;
  const { clock } = runtime;
  let { delivery } = invocation;
  let asked: { readonly owner: string; readonly atMs: number } | undefined;
  for (;;) {
    const begun = await beginOnce(invocation, delivery);
    if (begun.kind !== "wait") return begun;
    const { owner, runId, heartbeatMs } = begun.holder;
    if (asked?.owner !== owner) {
      asked = { owner, atMs: clock.nowMs() };
      log.info(`run ${runId} holds the lock and was asked to stop; waiting for it`, { heldBy: runId });
    }
    const untilMs = Math.min(waitsUntilMs(asked.atMs, heartbeatMs), deadline.ms - job.deadlineMarginMs);
    const leftMs = untilMs - clock.nowMs();
    const hasWaited = leftMs <= 0;
    // The last look comes in time to record a skip, however seldom the holder hears.
    const pauseMs = Math.min(nextLookMs(heartbeatMs), leftMs);
    if (!hasWaited) await new Promise<void>((resolve) => clock.startTimer(pauseMs, resolve));
    // Its own write of before, still under way, must not pass for one of now. Who came in time is not late for having waited.
    delivery = { ...delivery, owner: randomUUID(), receivedMs: clock.nowMs(), lateAfterMs: undefined, hasWaited };
  }
}

/** A fault that comes when the lock is got already must not keep it closed until the deadline: no handler has started. */
async function beginOnce(invocation: Invocation, delivery: Delivery): Promise<Begun> {
  const { log } = invocation;
  const store = storeToBegin(invocation, delivery.receivedMs);
  let isHolder = false;
  const watched: RunStore = {
    async execute(command) {
      const reply = await store.execute(command);
      isHolder ||= isMine(reply, delivery);
      return reply;
    },
  };
  try {
    return await perform(begin(delivery), watched);
  } catch (fault) {
    if (isHolder) await perform(giveBack(delivery), store).catch((error) => log.warn(STAYS_CLOSED, error));
    throw fault;
  }
}

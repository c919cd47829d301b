import { pause, requestCancel, resume } from "../../lib/run/index.ts";
import { perform } from "../../lib/store/index.ts";
import { JOBS } from "./jobs.ts";
import type { Around } from "./occurrences.ts";
import { sleep, warpedMs } from "./warped-time.ts";

const SECOND = 1_000;
const ALICE = { by: "alice", reason: "chaos", retentionMs: 86_400 * SECOND };

/** Now and then an operator pauses the job for a while, or cancels the run that is at work. */
export async function operator(job: string, { time, random, store, untilMs }: Around): Promise<void> {
  for (let action = 1; warpedMs(time) < untilMs; action++) {
    await sleep(time, random.upTo(40 * SECOND));
    if (JOBS[job]?.options.heartbeat !== undefined && random.chance(0.5)) {
      await perform(requestCancel(job, { ...ALICE, id: `cancel-${action}` }), store);
      continue;
    }
    const pausedUntilMs = random.chance(0.3) ? warpedMs(time) + random.upTo(8 * SECOND) : undefined;
    await perform(pause(job, { ...ALICE, id: `pause-${action}` }, pausedUntilMs), store);
    if (pausedUntilMs !== undefined) continue;
    await sleep(time, random.upTo(8 * SECOND));
    await perform(resume(job, { ...ALICE, id: `resume-${action}` }), store);
  }
}

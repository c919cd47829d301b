import { effect } from "@preact/signals";
import { boundClock } from "../state/clock.ts";
import { target } from "../state/live.ts";
import { nextOf } from "./sort.ts";
import { allJobs } from "./view.ts";

/** A fast clock passes no occurrence that the fleet has to come. */
export function followOccurrences(): void {
  effect(() => {
    if (!target.value?.clock) return;
    let nextMs = Number.POSITIVE_INFINITY;
    for (const job of allJobs.value) nextMs = Math.min(nextMs, Date.parse(nextOf(job)?.at ?? "") || nextMs);
    boundClock(nextMs);
  });
}

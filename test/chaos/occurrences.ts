import { randomUUID } from "node:crypto";
import { parseDuration } from "../../lib/lambda/duration.ts";
import { manualRunId, scheduledRunId } from "../../lib/run/index.ts";
import type { RunStore } from "../../lib/store/index.ts";
import type { Random } from "../simulation/random.ts";
import type { Input, Plan } from "./handler.ts";
import { JOBS } from "./jobs.ts";
import type { Delivery, Platform } from "./platform.ts";
import { sleep, type WarpedTime, warpedMs } from "./warped-time.ts";

export interface Around {
  readonly time: WarpedTime;
  readonly random: Random;
  /** The operators', which meets no faults. */
  readonly store: RunStore;
  readonly platform: Platform;
  readonly untilMs: number;
}

const SECOND = 1_000;
/** Some seconds before an occurrence is too late for every job. */
const NEARLY_LATE_MS = 290 * SECOND;

/** One occurrence after the other, each delivered once to three times: at once, within seconds, or much later. */
export async function occurrences(job: string, { time, random, platform, untilMs }: Around): Promise<void> {
  const { options, periodMs } = JOBS[job] ?? {};
  if (!options || !periodMs) throw new Error(`no job ${job}`);
  const timeoutMs = parseDuration(options.timeout) ?? 0;
  while (warpedMs(time) < untilMs) {
    await platform.room();
    const input = drawInput(random, timeoutMs);
    const made = random.chance(0.15) ? manual : scheduled;
    const ageMs = random.chance(0.1) ? NEARLY_LATE_MS + random.upTo(20 * SECOND) : 0;
    const occurrence = made(job, warpedMs(time) - ageMs, input);
    for (let copy = random.pick([0, 0, 0, 1, 1, 2]); copy >= 0; copy--) {
      const isAtOnce = random.chance(0.4);
      const afterMs = isAtOnce ? 0 : random.upTo(random.chance(0.8) ? 5 * SECOND : 80 * SECOND);
      const deliveryId = made === manual ? occurrence.runId : randomUUID();
      platform.deliver(
        { ...occurrence, job, deliveryId, timeoutMs, commits: input.commits, event: occurrence.event(deliveryId) },
        afterMs,
      );
    }
    await sleep(time, periodMs / 2 + random.upTo(periodMs));
  }
}

/** The delivery of an event by which a run that waited is started. */
export function startOf(event: unknown): Delivery {
  const { escapement, input } = event as {
    escapement: { job: string; start: { runId: string; id: string } };
    input: Input;
  };
  const { job, start } = escapement;
  const timeoutMs = parseDuration(JOBS[job]?.options.timeout) ?? 0;
  return { job, runId: start.runId, deliveryId: start.id, commits: input.commits, event, timeoutMs };
}

function drawInput(random: Random, timeoutMs: number): Input {
  const attempts = Array.from({ length: 3 }, (): Plan => {
    // Mostly short; one in ten outlasts its timeout.
    const workMs = random.chance(0.6) ? random.upTo(3 * SECOND) : random.upTo(timeoutMs * 1.2);
    return { workMs, fails: random.chance(0.15), isDeaf: random.chance(0.3) };
  });
  return { commits: random.chance(0.5), attempts };
}

interface Occurrence extends Pick<Delivery, "runId"> {
  event(deliveryId: string): unknown;
}

function scheduled(job: string, timeMs: number, input: Input): Occurrence {
  const scheduledTime = new Date(timeMs).toISOString();
  return {
    runId: scheduledRunId(timeMs, "default"),
    event: (executionId) => ({ escapement: { job, schedule: "default", scheduledTime, executionId }, input }),
  };
}

function manual(job: string, timeMs: number, input: Input): Occurrence {
  const id = randomUUID();
  const at = new Date(timeMs).toISOString();
  return {
    runId: manualRunId(id, timeMs),
    event: () => ({ escapement: { job, request: { id, at, by: "alice" } }, input }),
  };
}

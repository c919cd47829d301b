import { randomUUID } from "node:crypto";
import type { Context } from "aws-lambda";
import { type Delivery, MAX_QUEUED_INPUT_BYTES } from "../run/index.ts";
import { own } from "../schedule/index.ts";
import type { Arrival } from "./arrival.ts";
import { type Deadline, deadlineOf, leaseExpiresAtMs } from "./deadline.ts";
import { readEvent } from "./event.ts";
import type { Job } from "./job.ts";
import type { RunLog } from "./log.ts";
import type { Runtime } from "./runtime.ts";
import { jsonWithin, summarise } from "./summary.ts";

/** Everything that belongs to one invocation. Made before user code sees the event, and changed by nobody. */
export interface Invocation {
  readonly runtime: Runtime;
  readonly job: Job;
  readonly arrival: Arrival;
  readonly delivery: Delivery;
  readonly deadline: Deadline;
  readonly log: RunLog;
}

/** @throws {EventError} where the event names an occurrence that this function cannot run. */
export function openInvocation(runtime: Runtime, job: Job, event: unknown, context: Partial<Context>): Invocation {
  const receivedMs = runtime.clock.nowMs();
  const owner = randomUUID();
  const requestId = context.awsRequestId ?? owner;
  const arrival = readEvent(event, { job: job.name, fleet: runtime.fleet, requestId, nowMs: receivedMs });
  const deadline = deadlineOf(context, receivedMs, job.timeoutMs);
  const log = runtime.log({ job: job.name, runId: arrival.runId, requestId });
  if (!deadline.byPlatform) log.debug(`no remaining time in the context: using the timeout, ${job.timeoutMs} ms`);
  return { runtime, job, arrival, deadline, log, delivery: deliveryOf() };

  function deliveryOf(): Delivery {
    const { runId, schedule, scheduledTimeMs, workTimeMs, workSchedule } = arrival;
    const { trigger, cause, deliveryId, redelivered, input } = arrival;
    return {
      job: job.name,
      runId,
      ...(schedule !== undefined && { schedule, scheduledTimeMs }),
      ...(schedule !== undefined && cause === undefined && { lateAfterMs: lateAfterMs(job, arrival) }),
      workTimeMs,
      workSchedule,
      trigger,
      cause,
      owner,
      deliveryId,
      redelivered,
      receivedMs,
      deliveredMs: receivedMs,
      leaseExpiresAtMs: leaseExpiresAtMs(deadline),
      overlap: job.overlap,
      queueLength: job.queueLength,
      heartbeatMs: job.heartbeatMs,
      holdMs: job.holdAfterTimeoutMs,
      locks: job.locks,
      priority: job.priority,
      maxAttempts: job.retries + 1,
      retentionMs: job.retentionMs,
      requestId,
      logGroup: context.logGroupName,
      logStream: context.logStreamName,
      input: summarise(input, job.store.input, job.redact),
      inputJson: jsonWithin(MAX_QUEUED_INPUT_BYTES, input),
    };
  }
}

/** Lateness counts from the end of the flexible window. A schedule made in the console has the longest of the job's own. */
function lateAfterMs(job: Job, { schedule = "", scheduledTimeMs = 0 }: Arrival): number {
  const windowMs = (own(job.schedules, schedule)?.flexibleWindowMinutes ?? 0) * 60_000;
  const maxLatenessMs = own(job.maxLatenessMs, schedule) ?? Math.max(...Object.values(job.maxLatenessMs));
  return scheduledTimeMs + windowMs + maxLatenessMs;
}

import middy, { type MiddlewareObj } from "@middy/core";
import type { Context } from "aws-lambda";
import { JobError } from "./errors.ts";
import { type Carrier, carry, defineJob, type JobDefinition } from "./job.ts";
import { runMiddleware } from "./middleware.ts";
import type { JobOptions } from "./options.ts";
import type { Run, RunContext } from "./run.ts";
import { createRuntime, type Runtime } from "./runtime.ts";

/** The middleware that makes a Middy handler a job's; the handler after it has the run in its context. */
export type ScheduledRun = MiddlewareObj<unknown, unknown, Error, RunContext>;

/** A Lambda handler that carries its job's options. */
export interface ScheduledHandler extends Carrier {
  (event: unknown, context: Context): Promise<unknown>;
  /** Adds a middleware inside of the run: it does not see duplicates and skipped occurrences. */
  use(middleware: ScheduledRun): ScheduledHandler;
}

/**
 * A job: its options and what it does. Sugar for a Middy handler whose first middleware is `scheduledRun`.
 *
 * @throws {JobError} where an option is unknown or wrong, or the handler takes a callback.
 * @example
 * export const handler = scheduled({ schedule: rate("5 minutes") }, async (run) => {
 *   run.log.info("up to", { time: run.scheduledTime });
 *   return { rows: 42 };
 * });
 */
export function scheduled<Input = unknown>(
  options: JobOptions,
  handler: (run: Run<Input>) => Promise<unknown>,
): ScheduledHandler {
  return scheduledIn(createRuntime, options, handler);
}

/**
 * The middleware behind `scheduled`, for a handler that is composed in the open. Use it first: what stands before it sees
 * duplicates and skipped occurrences, and its errors are not the run's. The run is at `context.run`.
 */
export function scheduledRun(job: JobDefinition): ScheduledRun {
  return runMiddleware(job, createRuntime);
}

/** `scheduled` with a runtime of one's own. */
export function scheduledIn<Input = unknown>(
  makeRuntime: () => Runtime,
  options: JobOptions,
  handler: (run: Run<Input>) => Promise<unknown>,
): ScheduledHandler {
  const job = defineJob(options);
  refuseCallbacks(handler);
  const composed = middy<unknown, unknown, Error, RunContext>(
    async (_event: unknown, context: RunContext) => handler(context.run as Run<Input>),
    // Middy's own early time-out would end the waiting while the handler goes on.
    { timeoutEarlyInMillis: 0 },
  ).use(runMiddleware(job, makeRuntime));
  // A caller that is not Lambda may give `null` for the context. Middy types it as its handler sees it, with the run.
  const lambda = (event: unknown, context: Context | null) => composed(event, (context ?? {}) as RunContext);
  const use = (middleware: ScheduledRun) => {
    composed.use(middleware);
    return scheduledHandler;
  };
  const scheduledHandler: ScheduledHandler = carry(Object.assign(lambda, { use }), options);
  return scheduledHandler;
}

function refuseCallbacks(handler: unknown): void {
  const problem =
    typeof handler !== "function"
      ? "the handler is no function."
      : handler.length > 2
        ? "the handler takes a callback, which Node.js 24 on Lambda no longer calls."
        : undefined;
  if (problem === undefined) return;
  const message = `${problem} Write: scheduled({ … }, async (run) => { … return result; }).`;
  throw new JobError({ job: undefined, field: "handler", value: handler, problem: message });
}

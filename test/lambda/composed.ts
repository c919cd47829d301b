import middy, { type MiddlewareObj } from "@middy/core";
import { defineJob } from "../../lib/lambda/job.ts";
import { runMiddleware } from "../../lib/lambda/middleware.ts";
import type { JobOptions } from "../../lib/lambda/options.ts";
import type { RunContext } from "../../lib/lambda/run.ts";
import { rate } from "../../lib/schedule/index.ts";
import { lambdaContext, occurrence, type TestRuntime, type TestTable, testRuntime } from "./harness.ts";

export const T0 = "2026-05-01T00:00:00Z";
export const RUN_ID = "2026-05-01T00:00:00.000Z#default";

export type Middleware = MiddlewareObj<unknown, unknown, Error, RunContext>;

interface Composition {
  /** Stands before our middleware. */
  outer?: Middleware;
  /** Stands after it. */
  inner?: Middleware;
  handler?: (event: unknown, context: RunContext) => Promise<unknown>;
  options?: Partial<JobOptions>;
  timeoutEarlyInMillis?: number;
  /** By default a fleet of its own. */
  runtime?: TestRuntime;
}

/** A handler that is composed in the open, as a function of its own. */
export function compose(table: TestTable, given: Composition = {}) {
  const { outer, inner, options, timeoutEarlyInMillis = 0, runtime = testRuntime(table, T0) } = given;
  let started = 0;
  const handler = middy<unknown, unknown, Error, RunContext>(
    async (event: unknown, context: RunContext) => {
      started += 1;
      return given.handler ? given.handler(event, context) : "done";
    },
    { timeoutEarlyInMillis },
  );
  if (outer) handler.use(outer);
  handler.use(runMiddleware(defineJob({ schedule: rate("1 hour"), ...options }), () => runtime));
  if (inner) handler.use(inner);
  return {
    runtime,
    deliver: (executionId = "exec-1", context = lambdaContext(runtime.clock, `req-${executionId}`)) =>
      handler(occurrence(T0, executionId), context as RunContext),
    record: () => runtime.queries.readRun(runtime.job, RUN_ID),
    lease: () => runtime.queries.readJob(runtime.job, { limit: 1 }).then(({ state }) => state?.lease),
    started: () => started,
  };
}

export function throwing(): never {
  throw new Error("hook failed");
}

import type { Context } from "aws-lambda";
import { nearest } from "../schedule/index.ts";
import { shown } from "./check.ts";
import { ENVIRONMENT } from "./environment.ts";
import { EventError } from "./errors.ts";
import { isRunRequested } from "./run-request.ts";

type Handler = (event: unknown, context: Context) => Promise<unknown>;

/**
 * The handler of a function that several jobs share: hands each event to the job that it names.
 *
 * @param handlers by job
 */
export function groupHandler(handlers: Readonly<Record<string, Handler>>): Handler {
  return async (event, context) => {
    const job = jobNamedBy(event, Object.keys(handlers));
    // The job's runtime reads its name when it first handles an event, and where `scheduledRun` stands first before anything is
    // awaited: of two first events at once each job gets its own.
    process.env[ENVIRONMENT.job] = job;
    return (handlers[job] as Handler)(event, context);
  };
}

function jobNamedBy(event: unknown, jobs: readonly string[]): string {
  const { escapement, detail } = (event ?? {}) as Record<string, { readonly job?: unknown } | undefined>;
  const named = isRunRequested(event) ? detail?.job : escapement?.job;
  const job = jobs.find((name) => name === named);
  if (job !== undefined) return job;
  const meant = typeof named === "string" ? nearest(named, jobs) : undefined;
  const hint = meant === undefined ? "" : ` Did you mean ${shown(meant)}?`;
  const problem = `This function runs several jobs, and the event's escapement.job is ${shown(named)}.${hint} Allowed: ${jobs.join(", ")}.`;
  throw new EventError("escapement.job", named, problem);
}

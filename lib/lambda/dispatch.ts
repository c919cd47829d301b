import { listed, nearest, own } from "../schedule/index.ts";
import { shown } from "./check.ts";
import { EventError } from "./errors.ts";
import type { ManifestJob } from "./manifest.ts";
import { isRunRequested, parseRunRequest } from "./run-request.ts";

/** What the dispatcher has to know of its fleet. */
interface Directory {
  readonly fleet: string;
  readonly jobs: Readonly<Record<string, Pick<ManifestJob, "functionName">>>;
}

/**
 * The name of the function that a `Run Requested` event asks for.
 *
 * @throws {EventError} naming what is wrong with the request, the value, what is allowed, and the job that was likely meant.
 */
export function requestedFunction(event: unknown, { fleet, jobs }: Directory): string {
  if (!isRunRequested(event)) {
    throw new EventError("source", event, "The dispatcher takes Run Requested events of the source escapement only.");
  }
  const request = parseRunRequest(event.detail);
  if (request.stack !== fleet) {
    const problem = `The run request's detail.stack is ${shown(request.stack)}. Allowed: ${shown(fleet)}.`;
    throw new EventError("detail.stack", request.stack, problem);
  }
  const job = own(jobs, request.job);
  if (job !== undefined) return job.functionName;
  const names = Object.keys(jobs);
  const meant = nearest(request.job, names);
  const hint = meant === undefined ? "" : ` Did you mean ${shown(meant)}?`;
  const problem = `The run request's detail.job is ${shown(request.job)}.${hint} Allowed: ${listed(names)}.`;
  throw new EventError("detail.job", request.job, problem);
}

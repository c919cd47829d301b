import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { jobOf, parseJob, withoutCode } from "../lambda/job.ts";
import type { JobOptions } from "../lambda/options.ts";
// What job files import is loaded before the first of them, whose time it is not.
import "../lambda/scheduled.ts";
import { advice, IMPORTING, type JobSpec, type Reading, type ReadRequest } from "./job-reading.ts";

let current: ReadRequest | undefined;

process.on("message", async (request: ReadRequest) => {
  current = request;
  process.send?.(IMPORTING);
  try {
    answer(request, { job: await readJob(request) });
  } catch (error) {
    answer(request, { problem: describe(error, request) });
  }
});

// A file's background work that fails is that file's problem, and does not end the process for the files after it.
process.on("uncaughtException", (error) => {
  if (current) answer(current, { problem: describe(error, current) });
});

/** One answer for each request: the import of a file whose background work has failed may still end well. */
function answer(request: ReadRequest, reading: Reading): void {
  if (request !== current) return;
  current = undefined;
  process.send?.(reading);
}

async function readJob({ path, jobName }: ReadRequest): Promise<JobSpec> {
  const exported: { readonly handler?: unknown; readonly job?: unknown } = await import(pathToFileURL(path).href);
  const options = optionsOf(exported.handler, exported.job);
  return { ...withoutCode(parseJob(jobName, options)), options: withoutCode(options) };
}

function optionsOf(handler: unknown, job: unknown): JobOptions {
  const ofHandler = jobOf(handler);
  const ofJob = jobOf(job);
  if (ofHandler && ofJob && !isDeepStrictEqual(ofHandler, ofJob)) {
    throw new Misuse(
      'its exports "handler" and "job" have different options. Keep one: scheduled(...) carries its own; export "job" only beside a composed handler.',
    );
  }
  const options = ofHandler ?? ofJob;
  if (handler === undefined || !options) {
    const missing = handler === undefined ? 'it has no export "handler"' : 'its "handler" carries no options';
    throw new Misuse(
      `${missing}. Write "export const handler = scheduled({ schedule: … }, async (run) => { … })", or export "job = defineJob({ … })" beside a Middy handler that uses scheduledRun(job).`,
    );
  }
  return options;
}

/** The file does not say what a job file has to say. */
class Misuse extends Error {
  readonly code = "INVALID_JOB_FILE";
}

/** Errors whose message says all there is to do; any other one comes from code that should not run at synth. */
const selfExplaining = ["INVALID_JOB_FILE", "INVALID_JOB", "INVALID_SCHEDULE", "ERR_MODULE_NOT_FOUND"];

function describe(error: unknown, { path }: ReadRequest): string {
  if (!(error instanceof Error)) return `it threw ${String(error)} on import. ${advice}`;
  if (selfExplaining.includes(Reflect.get(error, "code"))) return error.message;
  if (error.name === "TransformError") return error.message;
  const line = error.stack
    ?.split("\n")
    .find((frame) => frame.includes(path))
    ?.match(/:(\d+:\d+)\)?$/)?.[1];
  return `${error.name}: ${error.message}${line ? ` (at ${line})` : ""}. ${advice}`;
}

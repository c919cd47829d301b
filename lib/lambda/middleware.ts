import type { MiddlewareObj, Request } from "@middy/core";
import { execute } from "./execute.ts";
import { deferred, type HeldRun, holdRun, takeRun } from "./held-run.ts";
import { openInvocation } from "./invocation.ts";
import { parseJob } from "./job.ts";
import type { JobOptions } from "./options.ts";
import { passOnEnd, warnWhereHidden } from "./request-end.ts";
import type { Run, RunContext } from "./run.ts";
import type { Runtime } from "./runtime.ts";

type HookRequest = Request<unknown, unknown, Error, RunContext>;

/** The hooks translate between Middy and `execute`, which owns the run: they hand it the handler's end and await its answer. */
export function runMiddleware(
  options: JobOptions,
  createRuntime: () => Runtime,
): MiddlewareObj<unknown, unknown, Error, RunContext> {
  const runtime = once(createRuntime);
  const job = once(() => parseJob(runtime().job, { ...options, ...runtime().overrides }));

  const before = async (request: HookRequest): Promise<void> => {
    const invocation = openInvocation(runtime(), job(), request.event, request.context);
    const started = deferred<{ outcome: "started"; run: Run }>();
    const handler = deferred<unknown>();
    const answer = execute(invocation, (run) => {
      started.resolve({ outcome: "started", run });
      return handler.promise;
    });
    const first = await Promise.race([started.promise, answer]).catch((error: unknown) => {
      warnWhereHidden(request, invocation.log);
      throw error;
    });
    if (first.outcome !== "started") {
      // Set by name: a value returned from a hook is no early answer where it is `undefined`.
      request.earlyResponse = first;
      return;
    }
    const held = { handler, answer, log: invocation.log };
    holdRun(request, held);
    passOnEnd(request, held);
    request.context.run = first.run;
  };

  const after = async (request: HookRequest): Promise<void> => {
    const held = takeRun(request);
    if (held === undefined) return;
    held.handler.resolve(request.response);
    request.response = await resultOf(request, held);
  };

  const onError = async (request: HookRequest): Promise<void> => {
    // Middy calls this also where our `before` never ran, or where the run has ended.
    const held = takeRun(request);
    if (held === undefined) return;
    held.handler.reject(request.error);
    // An answer that another hook made of the error would tell the platform that all is well.
    request.response = undefined;
    try {
      // A run that was cancelled ends well though its handler threw.
      request.response = await resultOf(request, held);
    } catch (error) {
      request.error = error as Error;
    }
  };

  return { before, after, onError };
}

async function resultOf(request: HookRequest, { answer, log }: HeldRun): Promise<unknown> {
  try {
    const given = await answer;
    return given.outcome === "completed" ? given.result : given;
  } catch (error) {
    warnWhereHidden(request, log);
    throw error;
  }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

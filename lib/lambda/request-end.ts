import type { Request } from "@middy/core";
import { type HeldRun, isMiddyTimeout, takeRun } from "./held-run.ts";
import type { RunLog } from "./log.ts";
import type { RunContext } from "./run.ts";

type HookRequest = Request<unknown, unknown, Error, RunContext>;

/**
 * Middy calls none of our hooks when another middleware answers early, or when an error hook throws. What it still does is
 * to set the request's response, or its error. So both are watched: the run ends with them, and Middy returns the promise of
 * an early answer. For an error it does not wait.
 */
export function passOnEnd(request: HookRequest, held: HeldRun): void {
  let hasFailed = false;
  watch(request, "error", (error) => {
    // Set once more by an error hook, or by Middy when one threw.
    if (hasFailed) held.handler.reject(error);
    // Middy's own time-out says nothing about the handler, which is still at work.
    else if (isMiddyTimeout(error)) held.handler.ignore();
    hasFailed = true;
    return error;
  });
  watch(request, "response", (response) => {
    if (!("earlyResponse" in request) || !takeRun(request)) return response;
    // An answer made of an error is still a failed run.
    if (hasFailed) {
      held.handler.reject(request.error);
    } else {
      held.log.info("another middleware answered early; the run ends with its answer");
      held.handler.resolve(response);
    }
    return held.answer.then((answer) => (answer.outcome === "completed" ? response : answer));
  });
}

/** Calls back whenever the field is set; what that returns is the field's value. */
function watch(request: HookRequest, field: "error" | "response", onSet: (value: unknown) => unknown): void {
  let current: unknown = request[field];
  Object.defineProperty(request, field, {
    enumerable: true,
    configurable: true,
    get: () => current,
    set(value: unknown) {
      current = onSet(value);
    },
  });
}

/** Says when a middleware that stands before ours makes an answer of the failure: nothing repeats the run then. */
export function warnWhereHidden(request: HookRequest, log: RunLog): void {
  watch(request, "response", (response) => {
    if (response !== undefined) {
      log.warn(
        "another middleware answers for the error, so Lambda takes it for a success and does not deliver it again",
      );
    }
    return response;
  });
}

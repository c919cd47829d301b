import type { Request } from "@middy/core";
import { takeRun } from "./held-run.ts";
import type { RunContext } from "./run.ts";

/**
 * When another middleware answers early, Middy calls none of our hooks; the one thing it still does is to set the response
 * and return it. So the response is watched: the run ends with the early answer, and Middy returns the promise of that.
 */
export function passOnEarlyAnswer(request: Request<unknown, unknown, Error, RunContext>): void {
  let response: unknown = request.response;
  Object.defineProperty(request, "response", {
    enumerable: true,
    configurable: true,
    get: () => response,
    set(value: unknown) {
      response = "earlyResponse" in request ? endWith(value, request) : value;
    },
  });
}

function endWith(value: unknown, request: Request<unknown, unknown, Error, RunContext>): unknown {
  const held = takeRun(request);
  if (held === undefined) return value;
  // An answer made of an error is still a failed run.
  if (request.error === undefined || request.error === null) held.handler.resolve(value);
  else held.handler.reject(request.error);
  return held.answer.then((answer) => (answer.outcome === "completed" ? value : answer));
}

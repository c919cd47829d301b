import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { parseJson } from "../../operations/json-text.ts";
import { refuse } from "./errors.ts";

/**
 * A run's input goes into an asynchronous invocation, which takes 1 MiB; the rest is for what stands around it.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const MAX_BODY_BYTES = 1_000_000;

/** What a request carries is JSON, and not too much of it. */
export const jsonOnly: MiddlewareHandler = async (c, next) => {
  const isEmpty = (c.req.header("Content-Length") ?? "0") === "0" && c.req.header("Transfer-Encoding") === undefined;
  if (isEmpty || /^application\/json(;|$)/i.test(c.req.header("Content-Type") ?? "")) return next();
  return refuse(c, 415, "NOT_JSON", "send a JSON object, with Content-Type: application/json");
};

export const notTooLarge: MiddlewareHandler = bodyLimit({
  maxSize: MAX_BODY_BYTES,
  onError(c) {
    // What has not been read stands before whatever would come next.
    c.header("Connection", "close");
    return refuse(c, 413, "TOO_LARGE", `the body has more than ${MAX_BODY_BYTES} bytes`);
  },
});

/** Nothing of it is lost on reading: refused in the words of the command line. */
export const nothingLost: MiddlewareHandler = async (c, next) => {
  const text = await c.req.text();
  if (text !== "") parseJson(text, "the body");
  await next();
};

import { isUtf8 } from "node:buffer";
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
/** In UTF-8, as all JSON that is sent. https://www.rfc-editor.org/rfc/rfc8259#section-8.1 */
const JSON_TYPE = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i;

/** What a request carries is JSON, and not too much of it. */
export const jsonOnly: MiddlewareHandler = async (c, next) => {
  const isEmpty = (c.req.header("Content-Length") ?? "0") === "0" && c.req.header("Transfer-Encoding") === undefined;
  if (isEmpty || JSON_TYPE.test(c.req.header("Content-Type") ?? "")) return next();
  return refuse(c, 415, "NOT_JSON", "send a JSON object in UTF-8, with Content-Type: application/json");
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
  const bytes = await c.req.arrayBuffer();
  if (!isUtf8(bytes)) return refuse(c, 400, "INVALID_INPUT", "the body is no UTF-8: send JSON in UTF-8");
  if (bytes.byteLength > 0) parseJson(await c.req.text(), "the body");
  else if (c.req.method === "POST" && c.req.header("Content-Type") !== undefined)
    return refuse(c, 400, "INVALID_INPUT", "the body is empty: send a JSON object, {} where it has nothing to say");
  return next();
};

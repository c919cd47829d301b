import { Hono } from "hono";
import { isJson } from "./json-file.ts";
import { functionArn, functionNameOf } from "./place.ts";
import { isSignedWith } from "./signature.ts";

/** Lambda's limit for an asynchronous invocation. */
const MAX_PAYLOAD_BYTES = 1024 * 1024;

/**
 * Lambda's Invoke API, asynchronous invocations only, so that the AWS SDK and CLI trigger here as they do in an account.
 *
 * @param options.accessKeyId the one key whose requests are served
 * @param options.accept puts the event in the function's queue and gives its request id
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 */
export function invokeApi(options: {
  accessKeyId: string;
  functions: { has(name: string): boolean };
  accept: (functionName: string, payload: string, source: string) => string;
}): Hono {
  const api = new Hono();
  const refuse = (status: 400 | 403 | 404 | 413 | 500, type: string, message: string) =>
    new Response(JSON.stringify({ Type: status === 500 ? "Service" : "User", Message: message, message }), {
      status,
      headers: { "Content-Type": "application/json", "x-amzn-ErrorType": type },
    });

  api.post("/2015-03-31/functions/:name/invocations", async (c) => {
    if (!isSignedWith(c, options.accessKeyId)) {
      const message = "Sign the request with the accessKeyId in runner.json; any secret does.";
      return refuse(403, "UnrecognizedClientException", message);
    }
    const name = functionNameOf(c.req.param("name"));
    if (!options.functions.has(name)) {
      return refuse(404, "ResourceNotFoundException", `Function not found: ${functionArn(name)}`);
    }
    const type = c.req.header("X-Amz-Invocation-Type") ?? "RequestResponse";
    if (type !== "Event") {
      const message = `The invocation type "${type}" is not served on this machine; use "Event".`;
      return refuse(400, "InvalidParameterValueException", message);
    }
    const payload = (await c.req.text()) || "{}";
    if (Buffer.byteLength(payload) > MAX_PAYLOAD_BYTES) {
      return refuse(413, "RequestTooLargeException", `The payload has more than ${MAX_PAYLOAD_BYTES} bytes.`);
    }
    if (!isJson(payload)) return refuse(400, "InvalidRequestContentException", "The payload is not valid JSON.");
    try {
      const requestId = options.accept(name, payload, "invoke");
      return new Response(null, { status: 202, headers: { "x-amzn-RequestId": requestId } });
    } catch (error) {
      return refuse(500, "ServiceException", `The event could not be queued: ${(error as Error).message}`);
    }
  });
  return api;
}

import { Hono } from "hono";
import type { FunctionError } from "./events.ts";
import { functionArn } from "./place.ts";
import type { Sandbox } from "./sandbox.ts";

/**
 * Lambda's Runtime API, for each sandbox below a path that only it knows.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 */
export function runtimeApi(sandboxes: ReadonlyMap<string, Sandbox>): Hono {
  const api = new Hono();
  const runtime = "/:sandbox/2018-06-01/runtime";

  api.get(`${runtime}/invocation/next`, async (c) => {
    const sandbox = sandboxes.get(c.req.param("sandbox"));
    const invocation = await sandbox?.next(Number(c.req.header("Escapement-Timers") ?? 0));
    if (!sandbox || !invocation) return c.body(null, 410);
    return c.body(invocation.payload, 200, {
      "Content-Type": "application/json",
      "Lambda-Runtime-Aws-Request-Id": invocation.requestId,
      "Lambda-Runtime-Deadline-Ms": String(invocation.deadlineMs),
      "Escapement-Clock-Ahead-Ms": String(sandbox.clockAheadMs()),
      "Lambda-Runtime-Invoked-Function-Arn": functionArn(sandbox.fn.name),
      "Lambda-Runtime-Trace-Id": traceId(invocation.requestId, invocation.deadlineMs - sandbox.fn.timeoutMs),
    });
  });

  api.post(`${runtime}/invocation/:requestId/response`, async (c) => {
    const done = await sandboxes.get(c.req.param("sandbox"))?.settle(c.req.param("requestId"), { ok: true });
    return done ? c.json({ status: "OK" }, 202) : c.json({ errorType: "InvalidRequestID" }, 400);
  });

  api.post(`${runtime}/invocation/:requestId/error`, async (c) => {
    const error = await c.req.json<FunctionError>();
    const done = await sandboxes.get(c.req.param("sandbox"))?.settle(c.req.param("requestId"), { ok: false, error });
    return done ? c.json({ status: "OK" }, 202) : c.json({ errorType: "InvalidRequestID" }, 400);
  });

  api.post(`${runtime}/init/error`, async (c) => {
    sandboxes.get(c.req.param("sandbox"))?.initFailed(await c.req.json<FunctionError>());
    return c.json({ status: "OK" }, 202);
  });
  return api;
}

/** An X-Ray trace header, not sampled: nobody collects traces here. */
function traceId(requestId: string, startedMs: number): string {
  const seconds = Math.floor(startedMs / 1000).toString(16);
  const hex = requestId.replaceAll("-", "");
  return `Root=1-${seconds}-${hex.slice(0, 24)};Parent=${hex.slice(-16)};Sampled=0`;
}

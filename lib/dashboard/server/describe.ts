import type { MiddlewareHandler } from "hono";
import { describeRoute } from "hono-openapi";
import type { Answers } from "../api.ts";

/** What the OpenAPI document says of a route; what it answers is known by its name. */
export function describe(operationId: keyof Answers, summary: string): MiddlewareHandler {
  return describeRoute({ operationId, summary });
}

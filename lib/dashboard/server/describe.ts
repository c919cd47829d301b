import type { MiddlewareHandler } from "hono";
import { describeRoute } from "hono-openapi";

/**
 * What the OpenAPI document says of a route.
 *
 * @param operationId the command's name, where there is one
 * @param answer a type's name, with `[]` for a list of it
 */
export function describe(operationId: string, summary: string, answer: string, status = 200): MiddlewareHandler {
  return describeRoute({ operationId, summary, responses: { [status]: { description: answer } } });
}

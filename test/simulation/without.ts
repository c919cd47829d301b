import type { Condition } from "../../lib/store/conditions.ts";
import type { Request } from "../../lib/store/request.ts";

/** A write with some clauses of its condition left out, by their places: to see that the checks bite. */
export function without(request: Request, places: readonly number[]): Request {
  if (request.kind !== "update" && request.kind !== "put") return request;
  const { condition } = request;
  const clauses: readonly Condition[] =
    condition && "allOf" in condition ? condition.allOf.filter((_clause, place) => !places.includes(place)) : [];
  return { ...request, condition: clauses.length > 0 ? { allOf: clauses } : ALWAYS };
}

const ALWAYS: Condition = { absent: "no-item-has-this" };

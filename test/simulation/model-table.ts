import type { Condition } from "../../lib/store/conditions.ts";
import type { Item, Put, Query, Request, Result, Update } from "../../lib/store/request.ts";

export type Answer = Pick<Result, "applied" | "item" | "items">;

/** The table as a map: it evaluates the very requests that the store sends to DynamoDB. */
export class ModelTable {
  readonly items = new Map<string, Item>();
  readonly #onChange: (before: Item | undefined, after: Item) => void;

  constructor(onChange: (before: Item | undefined, after: Item) => void) {
    this.#onChange = onChange;
  }

  send(request: Request): Answer {
    if (request.kind === "query") return { applied: true, items: found(request, [...this.items.values()]) };
    const { pk, sk } = request.kind === "put" ? request.item : request.key;
    const id = `${pk}/${sk}`;
    const before = this.items.get(id);
    if (request.kind === "get") return { applied: true, item: before };
    const after = written(request, before);
    if (!after) return { applied: false, item: before };
    this.items.set(id, after);
    this.#onChange(before, after);
    return { applied: true, item: request.kind === "put" ? undefined : after };
  }
}

/** What a write makes of an item; undefined when its condition does not hold. */
export function written(request: Update | Put, before: Item | undefined): Item | undefined {
  if (request.condition && !holds(request.condition, before)) return undefined;
  return withoutUndefined(request.kind === "put" ? request.item : updated(before, request));
}

/** What a query finds, newest first. */
export function found({ pk, from, to, filter }: Query, items: readonly Item[]): Item[] {
  const matching = items.filter((item) => {
    const sk = String(item["sk"]);
    return item["pk"] === pk && from <= sk && sk <= to && (!filter || holds(filter, item));
  });
  return matching.sort((one, other) => (String(one["sk"]) < String(other["sk"]) ? 1 : -1));
}

export function holds(condition: Condition, item: Item | undefined): boolean {
  if ("allOf" in condition) return condition.allOf.every((clause) => holds(clause, item));
  if ("anyOf" in condition) return condition.anyOf.some((clause) => holds(clause, item));
  if ("absent" in condition) return valueAt(condition.absent, item) === undefined;
  if ("present" in condition) return valueAt(condition.present, item) !== undefined;
  if ("sizeOf" in condition)
    return (
      condition.is === "=" && (valueAt(condition.sizeOf, item) as unknown[] | undefined)?.length === condition.value
    );
  const value = valueAt(condition.path, item);
  if ("oneOf" in condition) return condition.oneOf.some((allowed) => allowed === value);
  // As in DynamoDB: what is absent, or of another type, compares to nothing.
  if (value === undefined || typeof value !== typeof condition.value) return false;
  const wanted = condition.value;
  switch (condition.is) {
    case "=":
      return value === wanted;
    case "<":
      return (value as typeof wanted) < wanted;
    case "<=":
      return (value as typeof wanted) <= wanted;
  }
}

function updated(before: Item | undefined, { key, set, remove, append = {}, prepend = {}, increment }: Update): Item {
  const after: Record<string, unknown> = { ...key, ...before, ...withoutUndefined(set) };
  for (const path of remove) {
    const [name = path, place] = stepOf(path);
    if (place === undefined) delete after[name];
    else after[name] = (after[name] as unknown[]).filter((_value, at) => at !== place);
  }
  for (const [name, value] of Object.entries(append)) after[name] = [...((after[name] ?? []) as unknown[]), value];
  for (const [name, value] of Object.entries(prepend)) after[name] = [value, ...((after[name] ?? []) as unknown[])];
  if (increment) {
    const { attribute, from, copy } = increment;
    after[attribute] = Number(before?.[attribute] ?? from) + 1;
    if (copy) after[copy] = after[attribute];
  }
  return after;
}

function valueAt(path: string, item: Item | undefined): unknown {
  return path.split(".").reduce<unknown>((value, step) => {
    const [name, place] = stepOf(step);
    const found = (value as Item | undefined)?.[name];
    return place === undefined ? found : (found as unknown[] | undefined)?.[place];
  }, item);
}

/** A name, and a place in the list of that name: `queue[0]`. */
function stepOf(step: string): [name: string, place?: number] {
  const [name = step, place] = step.split("[");
  return place === undefined ? [name] : [name, Number.parseInt(place, 10)];
}

function withoutUndefined<T extends object>(item: T): T {
  return JSON.parse(JSON.stringify(item));
}

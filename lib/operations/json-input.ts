import { OperationError } from "./errors.ts";

/** Far more than an input needs, and less than what recursion holds, here and in whatever reads it later. */
const MAX_LEVELS = 100;

/**
 * Refuses what JSON would lose or change on its way to the handler, and more than 100 levels of it. A property that is undefined counts as left out.
 *
 * @throws OperationError `INVALID_INPUT` with the place of the first such value: `input.orders[2].total`
 */
export function checkJson(value: unknown, place: string, inside: readonly object[] = []): void {
  if (value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)) return;
  if (typeof value === "number" || value === undefined) throw refused(place, String(value));
  if (typeof value !== "object") throw refused(place, `a ${typeof value}`);
  if (inside.includes(value)) throw refused(place, "an object that holds itself");
  if (inside.length === MAX_LEVELS) throw tooDeep(place);
  const within = [...inside, value];
  if (Array.isArray(value)) {
    // Not forEach, which passes over holes.
    for (const [index, item] of value.entries()) checkJson(item, `${place}[${index}]`, within);
    return;
  }
  if (!isPlain(value)) throw refused(place, `a ${value.constructor?.name ?? "special object"}`);
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) checkJson(item, `${place}.${key}`, within);
  }
}

/** Also where another realm made it. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function refused(place: string, what: string): OperationError {
  const allowed = "null, true, false, finite numbers, texts, arrays and plain objects";
  return new OperationError(
    "INVALID_INPUT",
    `${place} is ${what}, which JSON cannot hold; it holds ${allowed}. Give it as one of these, such as a text.`,
  );
}

function tooDeep(place: string): OperationError {
  return new OperationError(
    "INVALID_INPUT",
    `${place.slice(0, 41)}… is deeper than ${MAX_LEVELS} levels of arrays and objects inside each other, which are allowed. Make it flatter, or give a part of it as a text.`,
  );
}

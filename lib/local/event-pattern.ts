/** An EventBridge event pattern of plain values: for each field the values that it may have. */
export interface EventPattern {
  readonly [field: string]: readonly (string | number | boolean | null)[] | EventPattern;
}

/** True for a pattern of plain values; content filters, such as `prefix`, are not understood here. */
export function isPlainPattern(value: unknown): value is EventPattern {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((field) =>
    Array.isArray(field) ? field.every((one) => typeof one !== "object" || one === null) : isPlainPattern(field),
  );
}

/**
 * True when every field of the pattern is in the event with one of its values; of a list one element is enough.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-patterns.html
 */
export function matches(pattern: EventPattern, event: unknown): boolean {
  return Object.entries(pattern).every(([field, wanted]) => {
    const found = (event as Record<string, unknown> | null | undefined)?.[field];
    if (!isList(wanted)) return typeof found === "object" && matches(wanted, found);
    return (Array.isArray(found) ? found : [found]).some((value) => wanted.includes(value));
  });
}

function isList(wanted: EventPattern[string]): wanted is readonly (string | number | boolean | null)[] {
  return Array.isArray(wanted);
}

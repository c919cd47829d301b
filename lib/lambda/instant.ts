const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/;

/** Epoch milliseconds of an instant in UTC such as `2026-05-01T00:30:00Z`, or `undefined` where the text is none (`2026-02-30…` too). */
export function parseInstant(text: unknown): number | undefined {
  if (typeof text !== "string" || !INSTANT.test(text)) return undefined;
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) return undefined;
  const sameSecond = new Date(ms).toISOString().slice(0, 19) === text.slice(0, 19);
  return sameSecond ? ms : undefined;
}

/** Times in items are ISO text with milliseconds: readable, and text order is time order. */
export function toTimeText(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

/** DynamoDB's expiry is in whole seconds. Rounded up: never earlier than asked. */
export function toEpochSeconds(timeMs: number): number {
  return Math.ceil(timeMs / 1_000);
}

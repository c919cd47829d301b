/** Instants are epoch milliseconds. One that is no number would end as a wrong answer: `NaN` is neither before nor after anything. */

/** @throws RangeError for all but numbers; the infinite ones stand for the far past and future. */
export function checkInstant(instantMs: unknown): void {
  if (typeof instantMs !== "number" || Number.isNaN(instantMs)) throw noInstant(instantMs);
}

/** @throws RangeError for all but finite numbers. */
export function checkFinite(instantMs: unknown): void {
  if (!Number.isFinite(instantMs)) throw noInstant(instantMs);
}

function noInstant(value: unknown): RangeError {
  return new RangeError(`expected an instant in epoch milliseconds, got ${value}`);
}

import { nearest } from "./nearest.ts";

/** A schedule that cannot be used: says which field, its value, what is allowed and what was likely meant. */
export class ScheduleError extends Error {
  override readonly name = "ScheduleError";
  readonly code = "INVALID_SCHEDULE";
  /** The part at fault: `minute`, `day-of-week`, `timeZone`, … */
  readonly field: string;
  /** The value at fault, as it was written. */
  readonly value: string;

  constructor(field: string, value: string, message: string) {
    super(message);
    this.field = field;
    this.value = value;
  }
}

/** Adds to a refusal where the value stands, so that the readers of values need not know. */
export function located<T>(where: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ScheduleError)) throw error;
    throw new ScheduleError(error.field, error.value, `${where}: ${error.message}`);
  }
}

/** A misspelt option must not end as a silent default. */
export function checkKeys(value: object, allowed: readonly string[]): void {
  for (const key of Object.keys(value)) {
    if (allowed.includes(key)) continue;
    const meant = nearest(key, allowed);
    const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
    throw new ScheduleError(
      key,
      String(Object(value)[key]),
      `${key} is unknown; allowed: ${allowed.join(", ")}${hint}`,
    );
  }
}

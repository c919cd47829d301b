import { nearest } from "./nearest.ts";
import { shortened, shown } from "./shown.ts";

/** A schedule that cannot be used: says which field, its value, what is allowed and what was likely meant. */
export class ScheduleError extends Error {
  override readonly name = "ScheduleError";
  readonly code = "INVALID_SCHEDULE";
  /** The part at fault: `minute`, `day-of-week`, `timeZone`, … */
  readonly field: string;
  /** The value at fault as it was written, shortened where it is long. */
  readonly value: string;

  constructor(field: string, value: unknown, message: string) {
    super(message);
    this.field = field;
    this.value = typeof value === "string" ? shortened(value) : shown(value);
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

/** The first of several lines that is not refused. Every hint goes through here: one that is refused itself helps nobody. */
export function firstAccepted(lines: readonly string[], read: (line: string) => unknown): string | undefined {
  return lines.find((line) => {
    try {
      read(line);
      return true;
    } catch (error) {
      if (error instanceof ScheduleError) return false;
      throw error;
    }
  });
}

/** A misspelt option must not end as a silent default. */
export function checkKeys(value: object, allowed: readonly string[]): void {
  for (const key of Object.keys(value)) {
    if (allowed.includes(key)) continue;
    const meant = nearest(key, allowed);
    const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
    const message = `${shortened(key)} is unknown; allowed: ${allowed.join(", ")}${hint}`;
    throw new ScheduleError(shortened(key), Object(value)[key], message);
  }
}

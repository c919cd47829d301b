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

import { type CronFields, fieldsText } from "./cron-fields.ts";
import { checkKeys, ScheduleError } from "./errors.ts";
import { parseSchedule, type ScheduleSpec, specOf } from "./schedule.ts";
import { shown } from "./shown.ts";

/** What may be said about any schedule beside its expression. */
export interface ScheduleOptions {
  /** IANA name of the zone whose wall clock the expression means. @default "UTC" */
  readonly timeZone?: string;
  /** No occurrence before this instant, ISO 8601 in UTC. @default no limit */
  readonly start?: string;
  /** No occurrence after this instant, ISO 8601 in UTC. @default no limit */
  readonly end?: string;
  /** EventBridge may deliver up to this many minutes after the scheduled time, 1-1440. @default at the scheduled time */
  readonly flexibleWindowMinutes?: number;
}

/** EventBridge ignores the start and end of an `at`, so they cannot be said. */
export type AtOptions = Omit<ScheduleOptions, "start" | "end">;

/**
 * A schedule by the calendar, from EventBridge's six fields (minute, hour, day of month, month, day of week, year) or from an object.
 * Weekday 1 is Sunday; one of the two day fields is `?`. In the object form fields left out mean "every", `?` is placed for you, and the
 * minute must be said.
 *
 * @throws ScheduleError that says what was wrong and the likely meant line.
 * @example cron("0 2 * * ? *", { timeZone: "Europe/Berlin" })
 * @example cron({ minute: 0, hour: 18, weekDay: "MON-FRI" }) // cron(0 18 ? * MON-FRI *)
 */
export function cron(expression: string | CronFields, options: ScheduleOptions = {}): ScheduleSpec {
  const body = isFields(expression) ? fieldsText(expression) : bodyOf("cron", expression);
  return author(`cron(${body})`, options);
}

/**
 * A schedule by a fixed interval of whole minutes, hours or days, counted from its start, else from its creation.
 * A day is 24 hours, also when the clocks change.
 *
 * @throws ScheduleError
 * @example rate("5 minutes")
 */
export function rate(text: string, options: ScheduleOptions = {}): ScheduleSpec {
  return author(`rate(${wholeMinutes(bodyOf("rate", text).trim())})`, options);
}

/**
 * One occurrence, by wall-clock text without an offset: the zone is said beside it.
 *
 * @throws ScheduleError
 * @example at("2030-02-01T15:00:00", { timeZone: "Europe/Berlin" })
 */
export function at(wallClock: string, options: AtOptions = {}): ScheduleSpec {
  return author(`at(${bodyOf("at", wallClock)})`, options, ["timeZone", "flexibleWindowMinutes"]);
}

const OPTIONS = ["timeZone", "start", "end", "flexibleWindowMinutes"] as const satisfies (keyof ScheduleOptions)[];

function author(
  expression: string,
  options: ScheduleOptions,
  allowed: readonly (keyof ScheduleOptions)[] = OPTIONS,
): ScheduleSpec {
  if (typeof options !== "object" || options === null) {
    const message = `the options must be an object such as { timeZone: "Europe/Berlin" }, not ${shown(options)}`;
    throw new ScheduleError("options", options, message);
  }
  checkKeys(options, allowed);
  return specOf(parseSchedule({ ...options, expression }));
}

function isFields(value: unknown): value is CronFields {
  return typeof value === "object" && value !== null && !(value instanceof Date);
}

/** `cron("cron(0 2 * * ? *)")` is one wrapping too many; a `Date` has lost the wall clock it was meant on. */
function bodyOf(form: "cron" | "rate" | "at", text: unknown): string {
  if (typeof text !== "string") {
    const kind = text instanceof Date ? "a Date" : typeof text;
    throw new ScheduleError(form, text, `${form}(...) takes text, not ${kind}, for example ${EXAMPLES[form]}`);
  }
  if (/^(cron|rate|at)\(/.test(text)) {
    const message = `${form}(${shown(text)}): leave out the inner parentheses, for example ${EXAMPLES[form]}`;
    throw new ScheduleError(form, text, message);
  }
  return text;
}

const EXAMPLES = { cron: 'cron("0 2 * * ? *")', rate: 'rate("5 minutes")', at: 'at("2030-02-01T15:00:00")' } as const;

/** "120 seconds" is 2 minutes; seconds that are no whole minutes go on as they are, to be refused. */
function wholeMinutes(text: string): string {
  const seconds = Number(/^(\d+) seconds$/.exec(text)?.[1]);
  return seconds > 0 && seconds % 60 === 0 ? `${seconds / 60} minutes` : text;
}

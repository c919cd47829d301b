import { checkKeys, ScheduleError } from "./errors.ts";
import { shown } from "./shown.ts";

/**
 * The object form of a cron expression. Its type cannot say a number out of range, a missing minute, `?` outside the day fields, or both
 * day fields at once; of a text its type checks the beginning, and the rest (`"8-17"`, `"MON,WED"`, `"0/15"`) is checked when it is read.
 */
export type CronFields = TimeFields & DayFields;

interface TimeFields {
  /** 0-59. No default: a minute left open would mean every minute. */
  readonly minute: MinuteField;
  /** 0-23. @default every hour */
  readonly hour?: HourField;
  /** 1-12 or JAN-DEC. @default every month */
  readonly month?: MonthField;
  /** 1970-2199. @default every year */
  readonly year?: YearField;
}

type DayFields =
  | { /** 1-31, `L`, `LW`, `15W`. @default every day */ readonly day?: DayField; readonly weekDay?: "?" }
  | { /** 1-7 with 1 = Sunday, SUN-SAT, `6L`, `6#3`. */ readonly weekDay: WeekDayField; readonly day?: "?" };

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
type NumberOf<Text extends string> = Text extends `${infer Value extends number}` ? Value : never;

type Minute = NumberOf<`${Digit}` | `${1 | 2 | 3 | 4 | 5}${Digit}`>;
type Hour = NumberOf<`${Digit}` | `1${Digit}` | `2${0 | 1 | 2 | 3}`>;
type Day = NumberOf<`${Exclude<Digit, 0>}` | `${1 | 2}${Digit}` | "30" | "31">;
type Month = NumberOf<`${Exclude<Digit, 0>}` | "10" | "11" | "12">;
type MonthName = "JAN" | "FEB" | "MAR" | "APR" | "MAY" | "JUN" | "JUL" | "AUG" | "SEP" | "OCT" | "NOV" | "DEC";
type WeekDay = 1 | 2 | 3 | 4 | 5 | 6 | 7;
type WeekDayName = "SUN" | "MON" | "TUE" | "WED" | "THU" | "FRI" | "SAT";
type Year = NumberOf<`19${7 | 8 | 9}${Digit}` | `20${Digit}${Digit}` | `21${Digit}${Digit}`>;

/** A value, several, a range, a list in one text. */
type Values<Value extends number | string> =
  | Value
  | readonly Value[]
  | `${Value}`
  | `${Value}-${string}`
  | `${Value},${string}`;
type Stepped<Value extends number | string> = "*" | Values<Value> | `${"*" | Value}/${number}`;

type MinuteField = Stepped<Minute>;
type HourField = Stepped<Hour>;
type DayField = Stepped<Day> | "L" | "LW" | `L-${Day}` | `${Day}W`;
type MonthField = Stepped<Month | MonthName>;
type WeekDayField =
  | "*"
  | Values<WeekDay | WeekDayName>
  | "L"
  | `${WeekDay | WeekDayName}${"L" | `#${1 | 2 | 3 | 4 | 5}`}`;
type YearField = Stepped<Year>;

const NAMES = ["minute", "hour", "day", "month", "weekDay", "year"] as const;
type Name = (typeof NAMES)[number];

/** The six fields in their order; a field left out is `*`, or `?` where the other day field is filled. */
export function fieldsText(fields: CronFields): string {
  checkKeys(fields, NAMES);
  const { minute, hour = "*", day, month = "*", weekDay = "?", year = "*" }: Partial<Record<Name, unknown>> = fields;
  if (minute === undefined) {
    throw new ScheduleError("minute", "", 'cron({ ... }) needs a minute: 0 for the full hour, "*" for every minute');
  }
  const texts: Record<Name, unknown> = {
    minute,
    hour,
    day: day ?? (weekDay === "?" ? "*" : "?"),
    month,
    weekDay,
    year,
  };
  return NAMES.map((name) => fieldText(name, texts[name])).join(" ");
}

function fieldText(name: string, value: unknown): string {
  const parts = Array.isArray(value) ? value : [value];
  const isText = parts.every((part) => typeof part === "string" || typeof part === "number");
  const text = isText ? parts.join(",") : "";
  // White space inside one field would move the others.
  if (/^\S+$/.test(text)) return text;
  const message = `cron field ${name} ${shown(value)} must be a number, a list of numbers, or text without spaces`;
  throw new ScheduleError(name, value, message);
}

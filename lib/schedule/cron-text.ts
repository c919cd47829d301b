import { WEEKDAY_NAMES } from "./fields.ts";

/** The six fields of a cron expression as texts in the strict form. */
export interface CronTexts {
  readonly minute: string;
  readonly hour: string;
  readonly day: string;
  readonly month: string;
  readonly weekDay: string;
  readonly year: string;
}

/** Names in capitals, numbers without leading zeros: AWS is not known to take anything else. */
export function strictText(field: string): string {
  return field.toUpperCase().replace(/(?<!\d)0+(?=\d)/g, "");
}

/** AWS documents the last weekday of a month by its number only: `FRIL` becomes `6L`. */
export function strictWeekDay(field: string): string {
  const text = strictText(field);
  return NUMBERED_LAST.get(text) ?? text;
}

const NUMBERED_LAST: ReadonlyMap<string, string> = new Map(
  WEEKDAY_NAMES.map((name, index) => [`${name}L`, `${index + 1}L`]),
);

/** The six texts in their order. */
export function fieldsLine({ minute, hour, day, month, weekDay, year }: CronTexts): string {
  return `${minute} ${hour} ${day} ${month} ${weekDay} ${year}`;
}

export function cronText(texts: CronTexts): string {
  return `cron(${fieldsLine(texts)})`;
}

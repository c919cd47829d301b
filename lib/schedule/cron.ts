import { misplacedDay, oneDayField, wrongCount } from "./correct.ts";
import { type CronTexts, strictText, strictWeekDay } from "./cron-text.ts";
import { type DayRule, parseDayOfMonth, parseDayOfWeek } from "./days.ts";
import { HOUR, MINUTE, MONTH, parseValues, YEAR } from "./fields.ts";

/** A parsed cron expression: the values that match, sorted. */
export interface Cron {
  /** The six fields in the strict form. */
  readonly texts: CronTexts;
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly days: DayRule;
  readonly months: readonly number[];
  readonly years: readonly number[];
}

/** Reads the fields between the parentheses of `cron(...)`. */
export function parseCron(body: string): Cron {
  const written = body.trim() === "" ? [] : body.trim().split(/\s+/);
  if (written.length !== 6) throw wrongCount(written, parseCron);
  const [minute, hour, day, month, weekDay, year] = written as SixTexts;
  const texts = {
    minute: strictText(minute),
    hour: strictText(hour),
    day: strictText(day),
    month: strictText(month),
    weekDay: strictWeekDay(weekDay),
    year: strictText(year),
  };
  return {
    texts,
    minutes: parseValues(MINUTE, texts.minute),
    hours: parseValues(HOUR, texts.hour),
    months: parseValues(MONTH, texts.month),
    years: parseValues(YEAR, texts.year),
    // Last, so that a line that is offered for its days is right in all else.
    days: parseDays(texts),
  };
}

type SixTexts = [string, string, string, string, string, string];

function parseDays(texts: CronTexts): DayRule {
  // Both are read before they are compared: a name that cannot be read is the more useful thing to hear.
  const ofMonth = parseDay(texts, texts.day, parseDayOfMonth);
  const ofWeek = parseDay(texts, texts.weekDay, parseDayOfWeek);
  if (ofMonth !== undefined && ofWeek === undefined) return ofMonth;
  if (ofWeek !== undefined && ofMonth === undefined) return ofWeek;
  throw oneDayField(texts);
}

function parseDay(texts: CronTexts, text: string, parse: (text: string) => DayRule): DayRule | undefined {
  if (text === "?") return undefined;
  try {
    return parse(text);
  } catch (error) {
    throw misplacedDay(texts) ?? error;
  }
}

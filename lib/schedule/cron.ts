import { correctedLines, wrongCount } from "./correct.ts";
import { type CronTexts, strictText } from "./cron-text.ts";
import { type DayRule, parseDayOfMonth, parseDayOfWeek } from "./days.ts";
import { ScheduleError } from "./errors.ts";
import { DAY, HOUR, MINUTE, MONTH, parseValues, WEEKDAY, YEAR } from "./fields.ts";

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
  if (written.length !== 6) throw wrongCount(written, isAccepted);
  const [minute, hour, day, month, weekDay, year] = written.map(strictText) as SixTexts;
  const texts = { minute, hour, day, month, weekDay, year };
  return {
    texts,
    minutes: parseValues(MINUTE, minute),
    hours: parseValues(HOUR, hour),
    days: parseDays(texts),
    months: parseValues(MONTH, month),
    years: parseValues(YEAR, year),
  };
}

type SixTexts = [string, string, string, string, string, string];

function parseDays(texts: CronTexts): DayRule {
  // Both are read before they are compared: a name that cannot be read is the more useful thing to hear.
  const ofMonth = texts.day === "?" ? undefined : parseDayOfMonth(texts.day);
  const ofWeek = texts.weekDay === "?" ? undefined : parseDayOfWeek(texts.weekDay);
  if (ofMonth !== undefined && ofWeek === undefined) return ofMonth;
  if (ofWeek !== undefined && ofMonth === undefined) return ofWeek;
  throw new ScheduleError(
    `${DAY.name}, ${WEEKDAY.name}`,
    `${texts.day}, ${texts.weekDay}`,
    `exactly one of the two day fields must be \`?\`; write ${correctedLines(texts)}`,
  );
}

function isAccepted(line: string): boolean {
  try {
    parseCron(line.slice("cron(".length, -1));
    return true;
  } catch {
    return false;
  }
}

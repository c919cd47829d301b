import { type CronTexts, cronText } from "./cron-text.ts";
import { parseDayOfMonth, parseDayOfWeek } from "./days.ts";
import { firstAccepted, ScheduleError } from "./errors.ts";
import { DAY, type Field, WEEKDAY } from "./fields.ts";
import { likelyCrons } from "./likely-crons.ts";

/** Refusals that offer what was likely meant as a line that can be pasted. */

/** Both day fields are filled, or both are `?`: the line, or the two lines, with exactly one `?`. The fields alone are known to be right. */
export function oneDayField(texts: CronTexts): ScheduleError {
  const byMonth = cronText({ ...texts, day: texts.day === "?" ? "*" : texts.day, weekDay: "?" });
  const byWeek = cronText({ ...texts, day: "?" });
  const isMonthOnly = texts.weekDay === "*" || texts.weekDay === "?";
  const lines = isMonthOnly ? byMonth : texts.day === "*" ? byWeek : `${byMonth} or ${byWeek}`;
  const message = `exactly one of the two day fields must be \`?\`; write ${lines}`;
  return new ScheduleError(`${DAY.name}, ${WEEKDAY.name}`, `${texts.day}, ${texts.weekDay}`, message);
}

/** A day of the week among the days of the month (`MON-FRI`, `6L`), or the other way round (`15W`), where the right field is free. */
export function misplacedDay(texts: CronTexts): ScheduleError | undefined {
  const { day, weekDay } = texts;
  if (isFree(weekDay) && isOnly(day, parseDayOfWeek, parseDayOfMonth)) {
    return misplaced(DAY, day, WEEKDAY, { ...texts, day: "?", weekDay: day });
  }
  if (isFree(day) && isOnly(weekDay, parseDayOfMonth, parseDayOfWeek)) {
    return misplaced(WEEKDAY, weekDay, DAY, { ...texts, day: weekDay, weekDay: "?" });
  }
  return undefined;
}

/** Not six fields. */
export function wrongCount(written: readonly string[], parse: (line: string) => unknown): ScheduleError {
  const found = `${written.length} field${written.length === 1 ? "" : "s"} found`;
  const needed = "six are needed: minute hour day-of-month month day-of-week year";
  const line = firstAccepted(likelyCrons(written.join(" ")), parse);
  const hint = line === undefined ? "" : `; did you mean cron(${line})?`;
  return new ScheduleError(
    "expression",
    written.join(" "),
    `${found}, ${needed}${ADVICE.get(written.length) ?? ""}${hint}`,
  );
}

const ADVICE: ReadonlyMap<number, string> = new Map([
  [5, "; add a year `*`"],
  [7, "; EventBridge has no seconds field"],
]);

function isFree(text: string): boolean {
  return text === "?" || text === "*";
}

/** Numbers are days in both fields. */
function isOnly(text: string, parse: (text: string) => unknown, parseOther: (text: string) => unknown): boolean {
  const isAccepted = (read: (text: string) => unknown) => firstAccepted([text], read) !== undefined;
  return /[A-Z#]/.test(text) && isAccepted(parse) && !isAccepted(parseOther);
}

function misplaced(field: Field, text: string, other: Field, meant: CronTexts): ScheduleError {
  const message = `${field.name} ${text} is a ${other.name}; did you mean ${cronText(meant)}?`;
  return new ScheduleError(field.name, text, message);
}

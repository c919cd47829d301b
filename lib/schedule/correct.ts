import { type CronTexts, cronText, parseCron } from "./cron.ts";
import { ScheduleError } from "./errors.ts";
import { WEEKDAY_NAMES } from "./fields.ts";

/** What was likely meant, as a line that can be pasted. Nothing is offered that would be refused again. */

/** Both day fields are filled, or both are `?`: the line, or the two lines, with exactly one `?`. */
export function correctedLines(texts: CronTexts): string {
  const byMonth = cronText({ ...texts, day: texts.day === "?" ? "*" : texts.day, weekDay: "?" });
  const byWeek = cronText({ ...texts, day: "?" });
  if (texts.weekDay === "*" || texts.weekDay === "?") return byMonth;
  return texts.day === "*" ? byWeek : `${byMonth} or ${byWeek}`;
}

export function wrongCount(body: string, fields: readonly string[]): ScheduleError {
  const line = `cron(${body})`;
  const corrected = fields.length === 5 ? withYear(fields) : fields.length === 7 ? withoutSeconds(fields) : undefined;
  const advice = corrected === undefined ? "" : `; ${corrected}`;
  const message =
    `${line} has ${fields.length} field${fields.length === 1 ? "" : "s"}; six are needed: ` +
    `minute hour day-of-month month day-of-week year${advice}`;
  return new ScheduleError("expression", line, message);
}

function withYear([minute = "", hour = "", day = "", month = "", weekDay = ""]: readonly string[]): string {
  const advice = "add a year `*`";
  const fromCrontab = day !== "?" && weekDay !== "?";
  const weekdayNames = fromCrontab ? weekDay.replace(/[0-7]/g, crontabWeekday) : weekDay;
  const line = firstValid([
    { minute, hour, day, month, weekDay, year: "*" },
    { minute, hour, day, month, weekDay: weekDay === "*" ? "?" : weekDay, year: "*" },
    { minute, hour, day: day === "*" ? "?" : day, month, weekDay: weekdayNames, year: "*" },
  ]);
  return line === undefined ? advice : `${advice}: ${line}`;
}

function withoutSeconds([, minute = "", hour = "", day = "", month = "", weekDay = "", year = ""]: readonly string[]) {
  const advice = "EventBridge has no seconds field";
  const line = firstValid([{ minute, hour, day, month, weekDay, year }]);
  return line === undefined ? advice : `${advice}: ${line}`;
}

/** A crontab counts weekdays from 0 = Sunday, and lets 7 be Sunday too. */
function crontabWeekday(digit: string): string {
  return WEEKDAY_NAMES[Number(digit) % 7] ?? digit;
}

function firstValid(candidates: readonly CronTexts[]): string | undefined {
  return candidates.map(cronText).find(isValid);
}

function isValid(line: string): boolean {
  try {
    parseCron(line.slice("cron(".length, -1));
    return true;
  } catch {
    return false;
  }
}

import { type CronTexts, cronText } from "./cron-text.ts";
import { ScheduleError } from "./errors.ts";
import { WEEKDAY_NAMES } from "./fields.ts";

/** What was likely meant, as a line that can be pasted. */

/** Both day fields are filled, or both are `?`: the line, or the two lines, with exactly one `?`. */
export function correctedLines(texts: CronTexts): string {
  const byMonth = cronText({ ...texts, day: texts.day === "?" ? "*" : texts.day, weekDay: "?" });
  const byWeek = cronText({ ...texts, day: "?" });
  if (texts.weekDay === "*" || texts.weekDay === "?") return byMonth;
  return texts.day === "*" ? byWeek : `${byMonth} or ${byWeek}`;
}

/** Not six fields. A line is offered only if it would be accepted. */
export function wrongCount(written: readonly string[], isAccepted: (line: string) => boolean): ScheduleError {
  const found = `${written.length} field${written.length === 1 ? "" : "s"} found`;
  const needed = "six are needed: minute hour day-of-month month day-of-week year";
  const { advice, lines } = repair(written);
  const line = lines.map(cronText).find(isAccepted);
  const correction = line === undefined ? advice : `${advice}: ${line}`;
  return new ScheduleError("expression", written.join(" "), `${found}, ${needed}${correction}`);
}

function repair(written: readonly string[]): { advice: string; lines: CronTexts[] } {
  if (written.length === 5) return { advice: "; add a year `*`", lines: withYear(written) };
  if (written.length !== 7) return { advice: "", lines: [] };
  const [, minute = "", hour = "", day = "", month = "", weekDay = "", year = ""] = written;
  return { advice: "; EventBridge has no seconds field", lines: [{ minute, hour, day, month, weekDay, year }] };
}

/** Five fields that hold a `?` are EventBridge's without the year; without one they are a crontab's. */
function withYear([minute = "", hour = "", day = "", month = "", weekDay = ""]: readonly string[]): CronTexts[] {
  const texts = { minute, hour, day, month, weekDay, year: "*" };
  if (day === "?" || weekDay === "?") return [texts];
  if (weekDay === "*") return [{ ...texts, weekDay: "?" }];
  return [{ ...texts, day: day === "*" ? "?" : day, weekDay: weekDay.replace(/[0-7]/g, crontabWeekday) }];
}

/** A crontab counts weekdays from 0 = Sunday, and lets 7 be Sunday too. */
function crontabWeekday(digit: string): string {
  return WEEKDAY_NAMES[Number(digit) % 7] ?? digit;
}

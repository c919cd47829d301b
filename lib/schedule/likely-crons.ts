import { fieldsLine } from "./cron-text.ts";
import { WEEKDAY_NAMES } from "./fields.ts";

/** What a text that is not EventBridge's six fields likely means, as six fields: a crontab's line or nickname, or Quartz's seven fields. */
export function likelyCrons(text: string): string[] {
  const nickname = NICKNAMES.get(text.trim().toLowerCase());
  if (nickname !== undefined) return [nickname];
  const written = text.trim().split(/\s+/);
  if (written.length === 7) return [written.slice(1).join(" ")];
  return written.length === 5 ? [withYear(written)] : [];
}

/** Those of crontab(5). */
const NICKNAMES: ReadonlyMap<string, string> = new Map([
  ["@yearly", "0 0 1 1 ? *"],
  ["@annually", "0 0 1 1 ? *"],
  ["@monthly", "0 0 1 * ? *"],
  ["@weekly", "0 0 ? * SUN *"],
  ["@daily", "0 0 * * ? *"],
  ["@midnight", "0 0 * * ? *"],
  ["@hourly", "0 * * * ? *"],
]);

/** Five fields that hold a `?` are EventBridge's without the year; without one they are a crontab's. */
function withYear([minute = "", hour = "", day = "", month = "", weekDay = ""]: readonly string[]): string {
  const texts = { minute, hour, day, month, weekDay, year: "*" };
  if (day === "?" || weekDay === "?") return fieldsLine(texts);
  if (weekDay === "*") return fieldsLine({ ...texts, weekDay: "?" });
  return fieldsLine({
    ...texts,
    day: day === "*" ? "?" : day,
    weekDay: weekDay.replace(/[0-7]/g, crontabWeekday),
  });
}

/** A crontab counts weekdays from 0 = Sunday, and lets 7 be Sunday too. */
function crontabWeekday(digit: string): string {
  return WEEKDAY_NAMES[Number(digit) % 7] ?? digit;
}

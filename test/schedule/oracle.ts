/**
 * The slow answer, written without the engine: it reads the six fields by itself and asks `Intl` for every minute what the clock shows.
 * A reading that was shown before does not count again.
 */

/** What the clock shows: weekday 1 is Sunday. */
interface Shown {
  readonly minute: number;
  readonly hour: number;
  readonly day: number;
  readonly month: number;
  readonly weekDay: number;
  readonly year: number;
}

/** For each expression, the minutes from one instant (inclusive) to another (exclusive) at which it occurs. */
export function minuteByMinute(
  expressions: readonly string[],
  timeZone: string,
  fromMs: number,
  toMs: number,
): number[][] {
  const clock = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    weekday: "short",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
  const matchers = expressions.map(matcherOf);
  const found: number[][] = expressions.map(() => []);
  let newest = Number.NEGATIVE_INFINITY;
  // The days before tell which readings had been shown already.
  for (let instantMs = fromMs - 2 * 86_400_000; instantMs < toMs; instantMs += 60_000) {
    const shown = read(clock.format(instantMs));
    const reading = sortable(shown);
    if (reading <= newest) continue;
    newest = reading;
    if (instantMs < fromMs) continue;
    matchers.forEach((matches, i) => {
      if (matches(shown)) found[i]?.push(instantMs);
    });
  }
  return found;
}

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];

/** "Thu, 1/29/2026, 04:30" */
function read(text: string): Shown {
  const [weekday = "", ...numbers] = text.split(/[\s,/:]+/);
  const [month, day, year, hour, minute] = numbers.map(Number) as [number, number, number, number, number];
  return { minute, hour, day, month, weekDay: WEEKDAYS.indexOf(weekday) + 1, year };
}

function sortable({ year, month, day, hour, minute }: Shown): number {
  return (((year * 100 + month) * 100 + day) * 100 + hour) * 100 + minute;
}

function matcherOf(expression: string): (shown: Shown) => boolean {
  const [minute = "", hour = "", day = "", month = "", weekDay = "", year = ""] = expression.slice(5, -1).split(" ");
  const minutes = valuesOf(minute, 0, 59);
  const hours = valuesOf(hour, 0, 23);
  const months = valuesOf(month, 1, 12);
  const years = valuesOf(year, 1970, 2199);
  const isDay = dayMatcher(day);
  const isWeekDay = weekDayMatcher(weekDay);
  return (shown) =>
    minutes.has(shown.minute) &&
    hours.has(shown.hour) &&
    months.has(shown.month) &&
    years.has(shown.year) &&
    isDay(shown) &&
    isWeekDay(shown);
}

/** Asks every value of the field whether the text names it. */
function valuesOf(text: string, min: number, max: number): Set<number> {
  const all = Array.from({ length: max - min + 1 }, (_, i) => min + i);
  return new Set(all.filter((value) => text.split(",").some((item) => names(item, value, min, max))));
}

function names(item: string, value: number, min: number, max: number): boolean {
  const [range = "", step] = item.split("/");
  const [first = "", last] = range.split("-").map((bound) => numberOf(bound, min));
  const [from, to] = first === "*" ? [min, max] : [Number(first), Number(last ?? (step === undefined ? first : max))];
  const size = max - min + 1;
  const distance = value >= from ? value - from : value - from + size;
  const length = to >= from ? to - from : to - from + size;
  return distance <= length && distance % Number(step ?? 1) === 0;
}

function numberOf(text: string, min: number): string {
  const names = min === 1 ? [MONTHS, WEEKDAYS.map((name) => name.toUpperCase())] : [];
  for (const list of names) if (list.includes(text)) return String(list.indexOf(text) + 1);
  return text;
}

function dayMatcher(text: string): (shown: Shown) => boolean {
  if (text === "?") return () => true;
  if (text === "LW") return (shown) => shown.day === nearestWorkday(daysIn(shown), shown);
  if (text.startsWith("L")) return (shown) => shown.day === daysIn(shown) - Number(text.slice(2) || 0);
  if (text.endsWith("W")) {
    const wanted = Number(text.slice(0, -1));
    return (shown) => wanted <= daysIn(shown) && shown.day === nearestWorkday(wanted, shown);
  }
  const days = valuesOf(text, 1, 31);
  return (shown) => days.has(shown.day);
}

function weekDayMatcher(text: string): (shown: Shown) => boolean {
  if (text === "?") return () => true;
  if (text === "L") return (shown) => shown.weekDay === 7;
  const [weekday = "", nth] = text.split("#").map((part) => numberOf(part, 1));
  if (nth !== undefined)
    return (shown) => shown.weekDay === Number(weekday) && Math.ceil(shown.day / 7) === Number(nth);
  if (text.endsWith("L")) {
    const last = Number(numberOf(text.slice(0, -1), 1));
    return (shown) => shown.weekDay === last && shown.day + 7 > daysIn(shown);
  }
  const weekDays = valuesOf(text, 1, 7);
  return (shown) => weekDays.has(shown.weekDay);
}

function daysIn({ year, month }: Shown): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** The distance rule itself: of all Monday to Friday days of the month, the one with the fewest days between. */
function nearestWorkday(wanted: number, shown: Shown): number {
  const days = Array.from({ length: daysIn(shown) }, (_, i) => i + 1);
  const workdays = days.filter((day) => {
    const weekDay = (((shown.weekDay - 1 + day - shown.day) % 7) + 7) % 7;
    return weekDay >= 1 && weekDay <= 5;
  });
  return workdays.reduce((best, day) => (Math.abs(day - wanted) < Math.abs(best - wanted) ? day : best));
}

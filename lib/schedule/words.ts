/** Small words for numbers and lists. */

export const WEEKDAY_WORDS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;
export const MONTH_WORDS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;
export const NTH_WORDS = ["first", "second", "third", "fourth", "fifth"] as const;

/** "a", "a and b", "a, b and c". */
export function listWords(items: readonly string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

/** Sorted values in words, three and more neighbours as a range: "1 to 5 and 15". */
export function valueWords(values: readonly number[], word: (value: number) => string = String): string {
  const ranges = runsOf(values).flatMap(({ first, last }) => {
    if (last - first >= 2) return [`${word(first)} to ${word(last)}`];
    return last === first ? [word(first)] : [word(first), word(last)];
  });
  return listWords(ranges);
}

export interface Run {
  readonly first: number;
  readonly last: number;
}

/** The runs of neighbours among sorted values: [1, 2, 3, 7] → 1-3 and 7-7. */
export function runsOf(values: readonly number[]): Run[] {
  const firsts = values.filter((value, i) => value - 1 !== values[i - 1]);
  const lasts = values.filter((value, i) => value + 1 !== values[i + 1]);
  return firsts.map((first, i) => ({ first, last: lasts[i] as number }));
}

/** The distance between all neighbours, if there is one and at least two values. */
export function evenStep(values: readonly number[]): number | undefined {
  const [first, second] = values;
  if (first === undefined || second === undefined) return undefined;
  const step = second - first;
  return values.every((value, i) => value === first + i * step) ? step : undefined;
}

/** "05", "17". */
export function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

/** "29 March 2026", of a wall-clock reading. */
export function dateWords(readingMs: number): string {
  const date = new Date(readingMs);
  return `${date.getUTCDate()} ${MONTH_WORDS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** "02:30", and the seconds where there are any, of a wall-clock reading. */
export function timeWords(readingMs: number): string {
  const time = new Date(readingMs).toISOString().slice(11, 19);
  return time.endsWith(":00") ? time.slice(0, 5) : time;
}

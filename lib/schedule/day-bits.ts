/** Days of a month, or weekdays, as the bits of one number: bit `d` stands for day `d`. */

export const NO_DAYS = 0;
/** Bits 1 to 31. */
export const EVERY_DAY = -1 << 1;
/** Bits 1 to 7. */
export const EVERY_WEEKDAY = 0b1111_1110;

export function oneDay(day: number): number {
  return day < 1 ? NO_DAYS : 1 << day;
}

export function bitsOf(days: readonly number[]): number {
  return days.reduce((bits, day) => bits | oneDay(day), NO_DAYS);
}

/** The days on which certain weekdays (bits 1-7) fall, in a month whose first day is this weekday. */
export function everyWeek(weekdays: number, weekdayOfFirst: number): number {
  const fromSunday = weekdays >> 1;
  // Turned so that the lowest of seven bits is the weekday of the first.
  const fromFirst = ((fromSunday >> (weekdayOfFirst - 1)) | (fromSunday << (8 - weekdayOfFirst))) & 0b111_1111;
  return (fromFirst | (fromFirst << 7) | (fromFirst << 14) | (fromFirst << 21) | (fromFirst << 28)) << 1;
}

export function daysFrom(day: number): number {
  return -1 << day;
}

export function daysUpTo(day: number): number {
  // Shifting by 32 would not shift at all.
  return day === 31 ? -1 : ~(-1 << (day + 1));
}

export function firstDay(days: number): number {
  return lastDay(days & -days);
}

export function lastDay(days: number): number {
  return 31 - Math.clz32(days);
}

export function listDays(days: number): number[] {
  return Array.from({ length: 31 }, (_, i) => i + 1).filter((day) => (days & oneDay(day)) !== 0);
}

/** Days of a month as the bits of one number: bit `d` stands for day `d`. */

export const NO_DAYS = 0;
export const ALL_DAYS = -1;

/** Days 0, 7, 14, 21 and 28, to be moved to a first day. */
const EVERY_WEEK = (1 << 0) | (1 << 7) | (1 << 14) | (1 << 21) | (1 << 28);

export function oneDay(day: number): number {
  return day < 1 ? NO_DAYS : 1 << day;
}

export function everyWeekFrom(day: number): number {
  return EVERY_WEEK << day;
}

export function daysFrom(day: number): number {
  return -1 << day;
}

export function daysUpTo(day: number): number {
  // Shifting by 32 would not shift at all.
  return day === 31 ? ALL_DAYS : ~(-1 << (day + 1));
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

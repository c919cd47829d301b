/** The Gregorian calendar in plain numbers: months 1-12, days 1-31, weekdays 1-7 with 1 = Sunday, as EventBridge counts them. */

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const MINUTES_PER_DAY = 24 * 60;

export interface CalendarDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** Days from 1970-01-01 to 0000-03-01, where the years below begin: a leap day is then a year's last day. */
const DAYS_FROM_EPOCH = -719_468;
const DAYS_IN_400_YEARS = 146_097;

/** Days since 1970-01-01. */
export function dayNumber(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const monthFromMarch = month > 2 ? month - 3 : month + 9;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return DAYS_FROM_EPOCH + 365 * marchYear + leapDays + daysBeforeMonth(monthFromMarch) + day - 1;
}

/** The date of a day number; the inverse of `dayNumber`. */
export function dateOf(dayNumber: number): CalendarDate {
  const days = dayNumber - DAYS_FROM_EPOCH;
  const cycle = Math.floor(days / DAYS_IN_400_YEARS);
  const dayOfCycle = days - cycle * DAYS_IN_400_YEARS;
  const leapDays = Math.floor(dayOfCycle / 1460) - Math.floor(dayOfCycle / 36_524) + Math.floor(dayOfCycle / 146_096);
  const yearOfCycle = Math.floor((dayOfCycle - leapDays) / 365);
  const firstOfYear = 365 * yearOfCycle + Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100);
  const dayOfYear = dayOfCycle - firstOfYear;
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = cycle * 400 + yearOfCycle + (month > 2 ? 0 : 1);
  return { year, month, day: dayOfYear - daysBeforeMonth(monthFromMarch) + 1 };
}

/** From March on, five months hold 153 days, again and again. */
function daysBeforeMonth(monthFromMarch: number): number {
  return Math.floor((153 * monthFromMarch + 2) / 5);
}

export function monthLength(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

export function weekdayOf(dayNumber: number): number {
  // Day 0 was a Thursday, which is weekday 5.
  return ((((dayNumber + 4) % 7) + 7) % 7) + 1;
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

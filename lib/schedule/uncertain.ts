import type { CronTexts } from "./cron-text.ts";
import { DAY, type Field, MINUTE, MONTH, parseValue, WEEKDAY } from "./fields.ts";
import { nextOccurrence } from "./occurrences.ts";
import type { CronSchedule, RateSchedule } from "./schedule.ts";

/**
 * What a schedule uses that AWS does not document. Each has one meaning here, that of Quartz, from which AWS's grammar descends;
 * docs/schedule.md lists them.
 */
export function uncertainties(schedule: CronSchedule | RateSchedule): string[] {
  const inFields = schedule.kind === "cron" ? undocumentedFields(schedule.cron.texts) : [];
  return [...inFields, ...occurrenceAtEnd(schedule)];
}

function undocumentedFields({ minute, day, month, weekDay }: CronTexts): string[] {
  return [
    ...undocumentedLast(day),
    ...wrappingRanges(MINUTE, minute),
    ...wrappingRanges(DAY, day),
    ...wrappingRanges(MONTH, month),
    ...wrappingRanges(WEEKDAY, weekDay),
  ];
}

function undocumentedLast(day: string): string[] {
  if (day === "LW")
    return ["day-of-month LW is not in AWS's documentation; here it is the last Monday to Friday of the month"];
  if (!day.startsWith("L-")) return [];
  return [`day-of-month ${day} is not in AWS's documentation; here it counts back from the last day of the month`];
}

/** AWS documents a range across the field's end for hours only. */
function wrappingRanges(field: Field, text: string): string[] {
  if (!text.split(",").some((item) => isWrapping(field, item))) return [];
  return [`${field.name} ${text}: AWS documents ranges across the end for hours only; list the values to be sure`];
}

function isWrapping(field: Field, item: string): boolean {
  const [, first, last] = /^(\w+)-(\w+)/.exec(item) ?? [];
  if (first === undefined || last === undefined || first === "L") return false;
  return parseValue(field, first) > parseValue(field, last);
}

function occurrenceAtEnd(schedule: CronSchedule | RateSchedule): string[] {
  const { endMs } = schedule;
  // Of a rate that counts from a creation yet to come nobody can know.
  if (schedule.kind === "rate" && schedule.anchorMs === undefined) return [];
  if (endMs === undefined || nextOccurrence(schedule, endMs - 1) !== endMs) return [];
  return ['an occurrence falls on the very end; AWS stops "on, or before" it, so move the end to be sure'];
}

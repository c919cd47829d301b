import type { Cron } from "./cron.ts";
import { EVERY_DAY } from "./day-bits.ts";
import { DAY, type Field, HOUR, MINUTE, MONTH, parseValues } from "./fields.ts";
import { type RateUnit, rateText } from "./rate.ts";

/** Steps that look like an interval and are none: they begin anew before the field ends evenly. In words, with what to write. */
export function unevenSteps({ texts, minutes, hours, days, months, years }: Cron): string[] {
  // A rate would be the same only where nothing but the step limits the schedule.
  const isAllYear = months.length === 12 && years.length === 230;
  const isEveryDay = isAllYear && days.kind === "days" && days.days === EVERY_DAY;
  const isOnceAnHour = minutes.length === 1;
  const isOnceADay = isOnceAnHour && hours.length === 1;
  return [
    ...unevenItems(texts.minute, { field: MINUTE, unit: "minute", cycle: "hour" }, isEveryDay && hours.length === 24),
    ...unevenItems(texts.hour, { field: HOUR, unit: "hour", cycle: "day" }, isEveryDay && isOnceAnHour),
    ...unevenItems(texts.day, { field: DAY, unit: "day", cycle: "month" }, isAllYear && isOnceADay),
    ...unevenItems(texts.month, { field: MONTH, unit: "month", cycle: "year" }, false),
  ];
}

interface SteppedField {
  readonly field: Field;
  readonly unit: RateUnit | "month";
  /** With each of these the field's values begin anew. */
  readonly cycle: string;
}

function unevenItems(text: string, { field, unit, cycle }: SteppedField, isAlone: boolean): string[] {
  return text.split(",").flatMap((item) => {
    const step = openStep(field, item);
    const values = step === undefined ? [] : parseValues(field, item);
    if (step === undefined || step === 1 || isEven(field, values, step)) return [];
    const hasRate = isAlone && item === text && unit !== "month";
    const advice = hasRate ? `use ${rateText(step, unit)} for one` : `list the ${unit}s you mean`;
    const what = `${field.name} ${item} is no interval of ${step} ${unit}s`;
    return [`${what}: it begins anew at ${values[0]} with every ${cycle}; ${advice}`];
  });
}

/** Only a step to the field's end (`*`, a start, or the whole range, and `/`) looks like an interval. */
function openStep(field: Field, item: string): number | undefined {
  const step = new RegExp(`^(?:\\*|\\w+|${field.min}-${field.max})/(\\d+)$`).exec(item)?.[1];
  return step === undefined ? undefined : Number(step);
}

function isEven(field: Field, values: readonly number[], step: number): boolean {
  // Months differ in length.
  if (field === DAY) return false;
  const [first, last] = [values[0] as number, values.at(-1) as number];
  return first + (field.max - field.min + 1) - last === step;
}

import { readWallClock } from "./at.ts";
import { ScheduleError } from "./errors.ts";
import { shown } from "./shown.ts";

/** The limits of a schedule: instants in epoch ms, and the flexible window. */
export interface Limits {
  readonly startMs?: number;
  readonly endMs?: number;
  readonly flexibleWindowMinutes?: number;
}

/** The same as they are written. */
export interface LimitTexts {
  readonly start?: string;
  readonly end?: string;
  readonly flexibleWindowMinutes?: number;
}

export function parseLimits({ start, end, flexibleWindowMinutes }: LimitTexts): Limits {
  const startMs = start === undefined ? undefined : parseInstant("start", start);
  const endMs = end === undefined ? undefined : parseInstant("end", end);
  if (startMs !== undefined && endMs !== undefined && endMs <= startMs) {
    throw new ScheduleError("end", end as string, `end ${end} is not after start ${start}`);
  }
  if (flexibleWindowMinutes !== undefined) checkWindow(flexibleWindowMinutes);
  return {
    ...(startMs === undefined ? {} : { startMs }),
    ...(endMs === undefined ? {} : { endMs }),
    ...(flexibleWindowMinutes === undefined ? {} : { flexibleWindowMinutes }),
  };
}

export function limitTexts({ startMs, endMs, flexibleWindowMinutes }: Limits): LimitTexts {
  return {
    ...(startMs === undefined ? {} : { start: instantText(startMs) }),
    ...(endMs === undefined ? {} : { end: instantText(endMs) }),
    ...(flexibleWindowMinutes === undefined ? {} : { flexibleWindowMinutes }),
  };
}

function parseInstant(field: "start" | "end", text: unknown): number {
  const parts = typeof text === "string" ? /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d)?(?:\.0{1,9})?Z$/.exec(text) : null;
  if (parts === null) {
    const message = `${field} ${shown(text)} must be an instant in UTC, such as 2030-02-01T15:00:00Z`;
    throw new ScheduleError(field, text, message);
  }
  const [, minute, second = ":00"] = parts;
  const reading = readWallClock(`${minute}${second}`);
  if (typeof reading === "string") throw new ScheduleError(field, text, `${field} ${shown(text)}: ${reading}`);
  return reading;
}

function checkWindow(minutes: unknown): void {
  if (Number.isInteger(minutes) && (minutes as number) >= 1 && (minutes as number) <= 1440) return;
  const message = `flexibleWindowMinutes ${shown(minutes)} must be a whole number from 1 to 1440; leave it out for exact delivery`;
  throw new ScheduleError("flexibleWindowMinutes", minutes, message);
}

function instantText(instantMs: number): string {
  return new Date(instantMs).toISOString().replace(".000Z", "Z");
}

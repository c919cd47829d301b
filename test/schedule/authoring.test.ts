import { describe, expect, expectTypeOf, test } from "vitest";
import {
  type AtOptions,
  at,
  type CronFields,
  cron,
  parseSchedule,
  rate,
  type ScheduleInput,
  type ScheduleSpec,
} from "../../lib/schedule/index.ts";
import { refusal } from "./helpers.ts";

describe("cron(...)", () => {
  test("CG-03: the object form places the ? by itself", () => {
    const evening = "cron(0 18 ? * MON-FRI *)";
    expect(cron({ minute: 0, hour: 18, weekDay: "MON-FRI" }).expression).toBe(evening);
    expect(cron({ minute: 0, hour: 18, weekDay: "MON-FRI", day: "?" }).expression).toBe(evening);
    expect(cron({ minute: 0, hour: 8, day: 1 }).expression).toBe("cron(0 8 1 * ? *)");
    expect(cron({ minute: 0, hour: 8, day: 1, weekDay: "?" }).expression).toBe("cron(0 8 1 * ? *)");
    expect(cron({ minute: 5 }).expression).toBe("cron(5 * * * ? *)");
    expect(cron({ minute: [0, 30], hour: "8-17", month: ["JAN", "JUL"], year: "2026-2027" }).expression).toBe(
      "cron(0,30 8-17 * JAN,JUL ? 2026-2027)",
    );
  });

  test("the text form takes the six fields and gives plain, frozen data", () => {
    const spec = cron("0 2 * * ? *", { timeZone: "Europe/Berlin", flexibleWindowMinutes: 15 });
    expect(spec).toEqual({ expression: "cron(0 2 * * ? *)", timeZone: "Europe/Berlin", flexibleWindowMinutes: 15 });
    expect(JSON.parse(JSON.stringify(spec))).toEqual(spec);
    expect(Object.isFrozen(spec)).toBe(true);
  });

  test("the default zone is said: UTC", () => {
    expect(cron("0 2 * * ? *").timeZone).toBe("UTC");
  });

  test("start and end are instants in UTC, written in one way", () => {
    const spec = cron("0 2 * * ? *", { start: "2026-05-01T00:00Z", end: "2026-06-01T00:00:00.000Z" });
    expect(spec).toMatchObject({ start: "2026-05-01T00:00:00Z", end: "2026-06-01T00:00:00Z" });
  });
});

describe("what is refused at run time too", () => {
  // JavaScript callers, and texts whose type is just `string`.
  const loose = { cron, rate, at } as unknown as Record<"cron" | "rate" | "at", (...args: unknown[]) => ScheduleSpec>;

  test.each([
    ["a missing minute", () => loose.cron({ hour: 18, weekDay: "MON-FRI" }), "needs a minute: 0 for the full hour"],
    [
      "both day fields",
      () => loose.cron({ minute: 0, hour: 18, day: "1", weekDay: "MON" }),
      "exactly one of the two day fields",
    ],
    ["a value out of range", () => loose.cron({ minute: 99 }), "minute 99 is outside 0-59"],
    ["an empty list", () => loose.cron({ minute: [] }), "cron field minute"],
    ["a text that would move the fields", () => loose.cron({ minute: "0 8" }), "text without spaces"],
    ["a Date in a field", () => loose.cron({ minute: new Date(0) }), "cron field minute"],
    ["a misspelt field", () => loose.cron({ minute: 0, hours: 8 }), "did you mean hour?"],
    ["a misspelt option", () => loose.cron("0 2 * * ? *", { timezone: "UTC" }), "did you mean timeZone?"],
    ["nothing", () => loose.cron(undefined), "takes text, not undefined"],
    ["a wrapped expression", () => loose.cron("cron(0 2 * * ? *)"), "leave out the inner parentheses"],
    ["a number as rate", () => loose.rate(5), 'takes text, not number, for example rate("5 minutes")'],
    ["a Date, which has lost its wall clock", () => loose.at(new Date(0)), "takes text, not a Date"],
    ["start of an at", () => loose.at("2030-02-01T15:00:00", { start: "2029-01-01T00:00:00Z" }), "start is unknown"],
    ["a start without Z", () => loose.cron("0 2 * * ? *", { start: "2026-05-01T00:00:00" }), "an instant in UTC"],
    [
      "a start that is no date",
      () => loose.cron("0 2 * * ? *", { start: "2026-02-30T00:00:00Z" }),
      "there is no day 30",
    ],
    ["a start as Date", () => loose.cron("0 2 * * ? *", { start: new Date(0) }), "an instant in UTC"],
    [
      "an end before the start",
      () => loose.rate("1 hour", { start: "2026-05-01T00:00:00Z", end: "2026-05-01T00:00:00Z" }),
      "is not after start",
    ],
    ["a window of 0", () => loose.rate("1 hour", { flexibleWindowMinutes: 0 }), "a whole number from 1 to 1440"],
    ["a window of 1441", () => loose.rate("1 hour", { flexibleWindowMinutes: 1441 }), "a whole number from 1 to 1440"],
    ["a zone that is no text", () => loose.rate("1 hour", { timeZone: 2 }), "timeZone 2 must be the name of a zone"],
    ["a zone that is null", () => loose.rate("1 hour", { timeZone: null }), "timeZone null must be the name of a zone"],
    [
      "a zone in place of the options",
      () => loose.cron("0 2 * * ? *", "Europe/Berlin"),
      'the options must be an object such as { timeZone: "Europe/Berlin" }, not "Europe/Berlin"',
    ],
    ["null in place of the options", () => loose.at("2030-02-01T15:00:00", null), "the options must be an object"],
    [
      "a second expression among the options",
      () => loose.cron("0 2 * * ? *", { expression: "rate(1 minute)" }),
      "expression is unknown; allowed: timeZone, start, end, flexibleWindowMinutes",
    ],
    ["an object without a prototype", () => loose.cron({ minute: [Object.create(null)] }), "cron field minute"],
  ])("%s", (_, author, why) => {
    const error = refusal(author);
    expect(error.code).toBe("INVALID_SCHEDULE");
    expect(error.message).toContain(why);
  });
});

test("an instant that is none is refused by its own name", () => {
  const error = refusal(() => cron("0 2 * * ? *", { start: "1969-01-01T00:00:00Z" }));
  expect(error).toMatchObject({ field: "start", value: "1969-01-01T00:00:00Z" });
  expect(error.message).toBe('start "1969-01-01T00:00:00Z": year 1969 is outside 1970-2199');
});

describe("however long a value is", () => {
  const long = "9".repeat(1_000_000);

  test.each([
    ["an expression", () => parseSchedule({ expression: long })],
    ["a cron field", () => cron(`${long} 2 * * ? *`)],
    ["a field of the object form", () => cron({ minute: `0-${long} 8` })],
    ["a rate", () => rate(`${long} minutes`)],
    ["a wrapped rate", () => rate(`rate(${long} minutes)`)],
    ["a zone", () => rate("1 hour", { timeZone: long })],
    ["a start", () => rate("1 hour", { start: long })],
    ["a start with many zeros", () => rate("1 hour", { start: `2026-05-01T00:00:00.${"0".repeat(1_000_000)}Z` })],
    ["an option's name", () => rate("1 hour", { [long]: 1 })],
    ["a schedule", () => parseSchedule(long as unknown as ScheduleInput)],
  ])("%s is refused in few words", (_, author) => {
    const { message, value, field } = refusal(author);
    expect(message.length).toBeLessThan(500);
    expect(value.length).toBeLessThan(500);
    expect(field.length).toBeLessThan(500);
  });
});

test("the object form's type cannot say what AWS refuses", () => {
  expectTypeOf<{ minute: 0; hour: 18; weekDay: "MON-FRI" }>().toExtend<CronFields>();
  expectTypeOf<{ minute: "0/15"; hour: "8-17"; day: "LW"; year: 2026 }>().toExtend<CronFields>();
  expectTypeOf<{ minute: readonly [0, 30]; weekDay: "6#3"; day: "?" }>().toExtend<CronFields>();
  expectTypeOf<{ hour: 18 }>().not.toExtend<CronFields>();
  expectTypeOf<{ minute: 60 }>().not.toExtend<CronFields>();
  expectTypeOf<{ minute: "?" }>().not.toExtend<CronFields>();
  expectTypeOf<{ minute: 0; hour: 24 }>().not.toExtend<CronFields>();
  expectTypeOf<{ minute: 0; day: 1; weekDay: "MON" }>().not.toExtend<CronFields>();
  expectTypeOf<{ minute: 0; day: "?"; weekDay: "?" }>().not.toExtend<CronFields>();
  expectTypeOf<{ minute: 0; weekDay: 0 }>().not.toExtend<CronFields>();
  expectTypeOf<{ minute: 0; weekDay: "FRI#6" }>().not.toExtend<CronFields>();
  expectTypeOf<{ minute: 0; month: "JANUARY" }>().not.toExtend<CronFields>();
  expectTypeOf<{ minute: 0; year: 2200 }>().not.toExtend<CronFields>();
  expectTypeOf<AtOptions>().not.toHaveProperty("start");
});

import { describe, expect, test } from "vitest";
import { expectedOccurrences, firstMark, withoutRun } from "../../../lib/run/watch/expected.ts";
import { parseSchedule } from "../../../lib/schedule/index.ts";

const at = (time: string) => Date.parse(`2026-05-02T${time}Z`);
const hourly = parseSchedule({ expression: "cron(0 * * * ? *)", timeZone: "UTC" });
const rate10 = parseSchedule({ expression: "rate(10 minutes)", timeZone: "UTC" });
const startAt = (expression: string, start: string) => parseSchedule({ expression, timeZone: "UTC", start });

describe("a schedule that is seen for the first time", () => {
  test("is expected to do something from now on, whenever it started", () => {
    const now = { untilMs: at("02:03:27"), anchorMs: at("02:03:27") };
    expect(firstMark(hourly, at("02:03:27"))).toEqual(now);
    expect(firstMark(startAt("cron(0 * * * ? *)", "2026-05-01T00:07:00Z"), at("02:03:27"))).toEqual(now);
  });

  test("counts from now, where it is a rate of which nobody knows since when", () => {
    expect(firstMark(rate10, at("02:03:27"))).toEqual({ untilMs: at("02:03:27"), anchorMs: at("02:03:27") });
  });

  test("counts from its start, where it is a rate that has one: from its newest step", () => {
    const rate = startAt("rate(10 minutes)", "2026-05-01T00:07:00Z");
    expect(firstMark(rate, at("02:03:27"))).toEqual({ untilMs: at("02:03:27"), anchorMs: at("01:57:00") });
    expect(firstMark(rate, at("02:07:00"))).toEqual({ untilMs: at("02:07:00"), anchorMs: at("02:07:00") });
  });
});

describe("occurrences are expected", () => {
  const until = (markTime: string, untilTime: string) => {
    const mark = { untilMs: at(markTime), anchorMs: at(markTime) };
    return expectedOccurrences(hourly, mark, at(untilTime));
  };

  test("after the mark, and up to the instant", () => {
    expect(until("01:00:00", "03:00:00")).toEqual([at("02:00:00"), at("03:00:00")]);
    expect(until("01:59:59.999", "02:00:00")).toEqual([at("02:00:00")]);
    expect(until("02:00:00", "02:59:59.999")).toEqual([]);
  });

  test("and none where the mark is ahead, as it is when a schedule was just seen for the first time", () => {
    expect(until("03:30:00", "01:30:00")).toEqual([]);
    const mark = { untilMs: at("03:30:00"), anchorMs: at("03:30:00") };
    expect(expectedOccurrences(rate10, mark, at("01:30:00"))).toEqual([]);
  });
});

test("where nothing is expected nothing is without a run", () => {
  const mark = { untilMs: at("02:00:00"), anchorMs: at("02:00:00") };
  expect(withoutRun(hourly, mark, [], [at("02:30:00")])).toEqual([]);
  expect(withoutRun(rate10, mark, [], [])).toEqual([]);
  expect(withoutRun(rate10, mark, [], [at("02:30:00")])).toEqual([]);
});

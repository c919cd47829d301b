import { describe, expect, test } from "vitest";
import { bytesText, durationText, relativeText, slowness } from "../../../lib/dashboard/page/format/duration.ts";
import { localText, offsetMsAt, parseOffset, timeOfDay, utcText } from "../../../lib/dashboard/page/format/instant.ts";
import { logParts } from "../../../lib/dashboard/page/format/log-line.ts";
import { parseVisibly } from "../../../lib/dashboard/page/format/visible-json.ts";

describe("a duration in words", () => {
  test.each([
    [0, "0 ms"],
    [999, "999 ms"],
    [1_240, "1.2 s"],
    // Not "5.0 s" or "10.0 s": a tenth is told only where it says something.
    [5_000, "5 s"],
    [4_960, "5 s"],
    [9_960, "10 s"],
    [48_000, "48 s"],
    // Rounded to the next unit, and never "60 s".
    [59_600, "1 min"],
    [184_000, "3 min 4 s"],
    [3_600_000, "1 h"],
    [8_040_000, "2 h 14 min"],
    [273_600_000, "3 d 4 h"],
  ])("%d ms is %s", (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });
});

describe("how far an instant is from now", () => {
  const nowMs = Date.UTC(2026, 2, 28, 20);

  test.each([
    [0, "now"],
    [-12_000, "12 s ago"],
    [45_000, "in 45 s"],
    // Minutes from 90 s on: what ticks each second is not read.
    [119_000, "in 1 min"],
    [240_000, "in 4 min"],
    [-9_000_000, "2 h 30 min ago"],
    [108_000_000, "in 30 h"],
    [-518_400_000, "6 d ago"],
  ])("%d ms: %s", (distanceMs, text) => {
    expect(relativeText(nowMs + distanceMs, nowMs)).toBe(text);
  });
});

describe("how slow a run was", () => {
  test("is told from twice the usual on", () => {
    expect(slowness(318_000, 96_000)).toBe("3.3×");
    expect(slowness(190_000, 96_000)).toBeUndefined();
  });

  test("is not told for less than a second more, which is noise", () => {
    expect(slowness(900, 100)).toBeUndefined();
  });

  test("is not told where nothing is usual", () => {
    expect(slowness(318_000, undefined)).toBeUndefined();
    expect(slowness(undefined, 96_000)).toBeUndefined();
  });
});

test("sizes are told in decimal units", () => {
  expect([27, 4_096, 88_400_000].map(bytesText)).toEqual(["27 B", "4.1 kB", "88.4 MB"]);
});

describe("an instant", () => {
  test("is told on the clock of a zone, on both sides of a change of that clock", () => {
    expect(localText("2026-03-29T00:30:00Z", "Europe/Berlin")).toBe("Sun 29 Mar 01:30");
    expect(localText("2026-03-29T01:00:00Z", "Europe/Berlin")).toBe("Sun 29 Mar 03:00");
  });

  test("has seconds only where it has some", () => {
    expect(localText("2026-03-28T19:00:07.250Z", "America/New_York")).toBe("Sat 28 Mar 15:00:07");
  });

  test("is told in UTC where the browser does not know the zone", () => {
    expect(localText("2026-03-28T19:00:00Z", "Mars/Olympus")).toBe("Sat 28 Mar 19:00");
  });

  test("is told in UTC for those who compare it with a log", () => {
    expect(utcText("2026-03-28T01:30:00Z")).toBe("2026-03-28 01:30:00 UTC");
    expect(timeOfDay("2026-03-28T01:30:00.250Z")).toBe("01:30:00.250");
  });

  test("has the offset of its zone", () => {
    expect(offsetMsAt(Date.UTC(2026, 2, 28), "Europe/Berlin")).toBe(3_600_000);
    expect(offsetMsAt(Date.UTC(2026, 2, 28), "Asia/Kolkata")).toBe(19_800_000);
    expect(offsetMsAt(Date.UTC(2026, 2, 28), "UTC")).toBe(0);
    expect(parseOffset("-03:30")).toBe(-12_600_000);
  });
});

describe("a line of a log", () => {
  test("of run.log is taken apart, without what the run's page says already", () => {
    const line =
      '{"level":"WARN","message":"Slow answer","timestamp":"2026-03-28T04:00:04.300Z","job":"pay","runId":"x","ms":2400}';
    expect(logParts(line)).toEqual({
      level: "WARN",
      at: "2026-03-28T04:00:04.300Z",
      message: "Slow answer",
      fields: [["ms", "2400"]],
      stack: undefined,
    });
  });

  test("with an error has its stack", () => {
    const line =
      '{"level":"ERROR","message":"Run failed","error":{"name":"Error","message":"no","stack":"Error: no\\n at x"}}';
    expect(logParts(line)?.stack).toBe("Error: no\n at x");
  });

  test("with an error among its fields tells it in words", () => {
    const line =
      '{"level":"ERROR","message":"run failed","timestamp":"2026-03-28T04:00:04.300Z","failure":{"name":"TypeError","message":"no report"}}';
    expect(logParts(line)?.fields).toEqual([["failure", "TypeError: no report"]]);
  });

  test("that Lambda's runtime printed of an error is taken apart, with the stack unfolded", () => {
    const error =
      '{"errorType":"TypeError","errorMessage":"no","stack":["TypeError: no","    at pay (/var/task/index.mjs:1:2)"]}';
    const line = `2026-03-28T04:00:05.943Z\t569b8016-9403-43c5-bc75-809429224223\tERROR\tInvoke Error \t${error}`;
    expect(logParts(line)).toEqual({
      level: "ERROR",
      message: "Invoke Error",
      fields: [],
      stack: "TypeError: no\n    at pay (/var/task/index.mjs:1:2)",
    });
  });

  test("that console printed is told without the request that its run's page says already", () => {
    const line = "2026-03-28T04:00:05.943Z\t569b8016-9403-43c5-bc75-809429224223\tINFO\tpaid 3\tof {4}";
    expect(logParts(line)).toEqual({ level: "INFO", message: "paid 3\tof {4}", fields: [] });
  });

  test("that is none of ours is told as it is", () => {
    expect(logParts("{half a line")).toEqual({ message: "{half a line", fields: [] });
  });

  test("of metrics is left out", () => {
    expect(logParts('{"_aws":{"Timestamp":1},"Runs":1}')).toBeUndefined();
  });
});

test.each([
  // As JSON.stringify writes them: control characters escaped, the others as they are.
  ['"\\u001b[31mred"', "\\u001b[31mred"],
  ['"a\u202eb\u2028c\u009d"', "a\\u202eb\\u2028c\\u009d"],
  // As others may write them.
  ['"a\\u202Eb"', "a\\u202Eb"],
  // A backslash before a "u", as text within text has it; quotes, line breaks, tabs and joined emoji.
  ['"\\\\u001b"', "\\u001b"],
  ['"\\"\\n\\t\\\\ 👩‍👧"', '"\n\t\\ 👩‍👧'],
])("JSON as %s is read so that all of it is seen", (json, text) => {
  expect(parseVisibly(json)).toBe(text);
});

import { describe, expect, test } from "vitest";
import { parseSchedule } from "../../lib/schedule/index.ts";
import { refusal } from "./helpers.ts";

describe("TZ-12: zones", () => {
  test.each([
    ["Europe/Berlin", "Europe/Berlin"],
    ["europe/berlin", "Europe/Berlin"],
    ["AMERICA/PORT-AU-PRINCE", "America/Port-au-Prince"],
    ["us/eastern", "US/Eastern"],
    ["US/Eastern", "US/Eastern"],
    ["Asia/Calcutta", "Asia/Calcutta"],
    ["Asia/Kolkata", "Asia/Kolkata"],
    ["Etc/GMT+5", "Etc/GMT+5"],
    ["utc", "UTC"],
  ])("%s is written %s: case is put right, aliases stay", (timeZone, spelling) => {
    expect(parseSchedule({ expression: "rate(1 hour)", timeZone }).timeZone).toBe(spelling);
  });

  test.each([
    ["Europe/Berln", "did you mean Europe/Berlin?"],
    ["Berlin", "did you mean Europe/Berlin?"],
    ["new york", "did you mean America/New_York?"],
    ["America/NewYork", "did you mean America/New_York?"],
    ["GMT+2", "the fixed offset is Etc/GMT-2 (its sign is reversed)"],
    ["UTC+1", "the fixed offset is Etc/GMT-1 (its sign is reversed)"],
    ["+02:00", "the fixed offset is Etc/GMT-2 (its sign is reversed)"],
    ["", 'name the place, such as Europe/Berlin, or "UTC"'],
    ["Local", 'name the place, such as Europe/Berlin, or "UTC"'],
    ["PST", "did you mean America/Los_Angeles?"],
    ["CEST", "did you mean Europe/Berlin?"],
    ["India", "did you mean Asia/Kolkata?"],
    ["Asia/Bejing", "did you mean Asia/Shanghai?"],
    ["Asia/Hanoi", "did you mean Asia/Ho_Chi_Minh?"],
    ["US/Easten", "did you mean US/Eastern?"],
    ["Eruope/Berlin", "did you mean Europe/Berlin?"],
    ["UTC+05:30", 'name the place, such as Europe/Berlin, or "UTC"'],
    ["UTC+15", 'name the place, such as Europe/Berlin, or "UTC"'],
    ["Etc/GMT+15", 'name the place, such as Europe/Berlin, or "UTC"'],
    ["XYZ", 'name the place, such as Europe/Berlin, or "UTC"'],
    ["Etc/Unknown", "is not a zone of the IANA database"],
  ])("%j is refused: %s", (timeZone, hint) => {
    const error = refusal({ expression: "cron(0 9 * * ? *)", timeZone });
    expect(error).toMatchObject({ field: "timeZone", value: timeZone });
    expect(error.message).toContain(hint);
  });
});

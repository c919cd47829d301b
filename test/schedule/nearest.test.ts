import { describe, expect, test } from "vitest";
import { nearest } from "../../lib/schedule/index.ts";

const OPTIONS = ["schedule", "overlap", "maxLateness", "retries", "timeout"];

describe("the nearest candidate", () => {
  test.each([
    ["overlapp", "overlap"],
    ["OVERLAP", "overlap"],
    ["overalp", "overlap"],
    ["maxlatenes", "maxLateness"],
    ["shedule", "schedule"],
    ["retires", "retries"],
  ])("of %s is %s", (value, expected) => {
    expect(nearest(value, OPTIONS)).toBe(expected);
  });

  test.each(["concurrency", "", "out", "x"])("of %j is none", (value) => {
    expect(nearest(value, OPTIONS)).toBeUndefined();
  });

  test("is the first of equals", () => {
    expect(nearest("jab-a", ["job-a", "jam-a"])).toBe("job-a");
  });
});

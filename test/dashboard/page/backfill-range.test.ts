import { describe, expect, test } from "vitest";
import { fieldText, usualRange } from "../../../lib/dashboard/page/actions/backfill-range.ts";

const now = Date.parse("2026-05-02T12:34:56.789Z");

describe("the range that a backfill begins with", () => {
  test("is the last day, in whole minutes", () => {
    expect(usualRange(now, "2026-01-01T00:00:00.123Z")).toEqual({
      from: "2026-05-01T12:34:00.000Z",
      to: "2026-05-02T12:34:00.000Z",
    });
    expect(usualRange(now, undefined).from).toBe("2026-05-01T12:34:00.000Z");
  });

  test("of a younger job begins when it was first seen: before that no record proves anything", () => {
    expect(usualRange(now, "2026-05-02T09:00:00.250Z")).toEqual({
      from: "2026-05-02T09:00:00.250Z",
      to: "2026-05-02T12:34:00.000Z",
    });
  });

  test("of one that is seconds old is no empty one", () => {
    expect(usualRange(now, "2026-05-02T12:34:40.000Z")).toEqual({
      from: "2026-05-02T12:34:40.000Z",
      to: "2026-05-02T12:34:56.789Z",
    });
  });
});

test("a field has whole seconds, and none before the instant that it stands for", () => {
  expect(fieldText("2026-05-02T09:00:00Z")).toBe("2026-05-02T09:00:00");
  expect(fieldText("2026-05-02T09:00:00.250Z")).toBe("2026-05-02T09:00:01");
  expect(fieldText("2026-05-02T09:59:59.999Z")).toBe("2026-05-02T10:00:00");
});

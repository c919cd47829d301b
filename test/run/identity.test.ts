import { describe, expect, test } from "vitest";
import { encodePart, manualRunId, parseRunId, runTimeMs, scheduledRunId } from "../../lib/run/index.ts";

const T0 = Date.parse("2026-03-02T02:00:00.000Z");

test("a run's id is its time and its schedule, and sorts by time", () => {
  expect(scheduledRunId(T0, "default")).toBe("2026-03-02T02:00:00.000Z#default");
  expect(scheduledRunId(T0 - 1, "weekly") < scheduledRunId(T0, "default")).toBe(true);
});

test("a manual run's id is its own, with the time of its request where there is one", () => {
  expect(manualRunId("request-1", T0)).toBe("2026-03-02T02:00:00.000Z#manual#request-1");
  expect(manualRunId("request-1")).toBe("manual#request-1");
});

test.each([
  ["2026-03-02T02:00:00.000Z#default", { kind: "scheduled", scheduledTimeMs: T0, schedule: "default" }],
  ["2026-03-02T02:00:00.000Z#manual", { kind: "scheduled", scheduledTimeMs: T0, schedule: "manual" }],
  ["2026-03-02T02:00:00.000Z#manual#a%23b", { kind: "manual", id: "a#b", requestedMs: T0 }],
  ["manual#request-1", { kind: "manual", id: "request-1", requestedMs: undefined }],
])("%s is taken apart", (runId, identity) => {
  expect(parseRunId(runId)).toEqual(identity);
});

test.each(["", "default", "2026-03-02#default", "2026-03-02T02:00:00Z#default", "x#default", "manual#%", "a#b#c#d"])(
  "%o is no run id, and has no time",
  (text) => {
    expect(parseRunId(text)).toBeUndefined();
    expect(runTimeMs(text)).toBeUndefined();
  },
);

test.each(["x#2026-03-02T02:00:00.000Z#default", "2026-03-02T02:00:00.000Z#default#x"])(
  "a run id with something before or after it is none: %o",
  (text) => {
    expect(parseRunId(text)).toBeUndefined();
  },
);

test("what is longer than a run id can be is none", () => {
  expect(parseRunId(`manual#${"x".repeat(256)}`)).toBeDefined();
  expect(parseRunId(`manual#${"x".repeat(257)}`)).toBeUndefined();
});

test("the time of a run is the one in its id", () => {
  expect(runTimeMs("2026-03-02T02:00:00.000Z#manual#request-1")).toBe(T0);
  expect(runTimeMs("manual#request-1")).toBeUndefined();
});

describe("a name from outside", () => {
  test.each([
    ["nightly-report", "nightly-report"],
    ["a#state", "a%23state"],
    ["50%", "50%25"],
    ["\ud800", "%EF%BF%BD"],
  ])("%o becomes %o", (value, encoded) => {
    expect(encodePart(value)).toBe(encoded);
  });

  test.each(["", "x".repeat(257)])("is refused when it is empty or above 256 characters", (value) => {
    expect(() => encodePart(value)).toThrow("1 to 256 characters");
  });

  test("is refused when a sort key, of at most 1024 bytes, might not hold its encoding", () => {
    // Nine characters each: 85 take 765.
    expect(encodePart("漢".repeat(85))).toHaveLength(765);
    expect(() => encodePart("漢".repeat(86))).toThrow("at most 768 when percent-encoded");
  });

  test("of 256 characters is never too long while it is ASCII", () => {
    const longest = manualRunId("#".repeat(256), T0);
    // The longest key of the table: "run#", and then this.
    expect(Buffer.byteLength(`run#${longest}`)).toBeLessThan(1024);
  });
});

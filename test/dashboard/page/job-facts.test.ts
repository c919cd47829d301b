import { describe, expect, test } from "vitest";
import { catchUpWords, queueWords } from "../../../lib/dashboard/page/job/policy-words.ts";

describe("a job's queue", () => {
  test.each([
    ["queue", "up to 10 runs wait"],
    // Their own occurrences do not wait.
    ["skip", "up to 10 runs wait, of those that are caught up or backfilled"],
    ["replace", "up to 10 runs wait, of those that are caught up or backfilled"],
    // Nothing waits.
    ["allow", undefined],
  ] as const)("with overlap %s: %s", (overlap, words) => {
    expect(queueWords({ overlap, queueLength: 10 })).toBe(words);
  });

  test("is not known of a job that an earlier release listed", () => {
    expect(queueWords({ overlap: "queue" })).toBeUndefined();
  });
});

describe("a job's catch-up", () => {
  test("of all is bounded by the length of its queue, whatever the overlap", () => {
    expect(catchUpWords({ overlap: "allow", catchUp: "all", queueLength: 10 })).toBe(
      "all: of the occurrences that were missed the newest 10 are run",
    );
  });

  test("of none and of the latest says what becomes of the others", () => {
    expect(catchUpWords({ overlap: "skip", catchUp: "none", queueLength: 10 })).toBe(
      "none: missed occurrences are not run",
    );
    expect(catchUpWords({ overlap: "skip", catchUp: "latest", queueLength: 10 })).toBe(
      "latest: the newest missed occurrence is run",
    );
  });
});

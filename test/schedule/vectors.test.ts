import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { next } from "./helpers.ts";

interface Vector {
  readonly id: string;
  readonly expression: string;
  readonly timezone: string;
  readonly fromExclusive: string;
  readonly next: readonly string[];
  /** H: stated by AWS. M: AWS is silent, by the calendar or Quartz. L: a documented policy of this engine. */
  readonly confidence: "H" | "M" | "L";
  readonly why: string;
}

const vectors: readonly Vector[] = JSON.parse(readFileSync(new URL("vectors.json", import.meta.url), "utf8"));
const MEANING = { H: "stated by AWS", M: "by the calendar", L: "documented policy" };

describe("the recorded vectors", () => {
  test.each(vectors)(
    "$id $expression in $timezone: $why",
    ({ expression, timezone, fromExclusive, next: expected, confidence }) => {
      // Vectors with fewer than five occurrences end there.
      const count = Math.max(expected.length, expected.length < 5 ? expected.length + 1 : 0);
      expect(next({ expression, timeZone: timezone }, fromExclusive, count), MEANING[confidence]).toEqual(expected);
    },
  );
});

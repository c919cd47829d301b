import { expect, test } from "vitest";
import { shownMs } from "../../../lib/dashboard/page/state/clock-face.ts";

const TOLD_MS = Date.UTC(2026, 2, 28, 20);
const told = { toldMs: TOLD_MS, pace: 30, isWarped: true, nextMs: Number.POSITIVE_INFINITY };

test("the machine's own clock goes on by itself", () => {
  const own = { ...told, pace: 1, isWarped: false };
  expect(shownMs(own, 60_000)).toBe(TOLD_MS + 60_000);
});

test("a fast one goes at its pace, and no further than three seconds without a word of it", () => {
  expect(shownMs(told, 2_000)).toBe(TOLD_MS + 60_000);
  expect(shownMs(told, 3_000)).toBe(TOLD_MS + 90_000);
  expect(shownMs(told, 60_000)).toBe(TOLD_MS + 90_000);
});

test("a fast one never passes the next occurrence, as the runner's does not", () => {
  expect(shownMs({ ...told, nextMs: TOLD_MS + 45_000 }, 1_000)).toBe(TOLD_MS + 30_000);
  expect(shownMs({ ...told, nextMs: TOLD_MS + 45_000 }, 2_000)).toBe(TOLD_MS + 45_000);
});

test("a fast one that is told to be past an occurrence does not go back to it", () => {
  expect(shownMs({ ...told, nextMs: TOLD_MS - 1_000 }, 2_000)).toBe(TOLD_MS);
});

test("one that a handler slows passes an occurrence as the machine's does", () => {
  expect(shownMs({ ...told, pace: 1, nextMs: TOLD_MS + 1_000 }, 2_000)).toBe(TOLD_MS + 2_000);
});

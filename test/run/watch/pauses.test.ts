import { expect, test } from "vitest";
import type { AuditEntry } from "../../../lib/run/index.ts";
import { isIn, pausesOf } from "../../../lib/run/watch/pauses.ts";

const entry = (action: AuditEntry["action"], atMs: number, untilMs?: number) =>
  ({ action, atMs, untilMs }) as unknown as AuditEntry;

test("a pause lasts until it is ended, or runs out, whichever is first; other actions are none", () => {
  // Newest first, as they are listed.
  const entries = [
    entry("pause", 900),
    entry("resume", 800),
    entry("pause", 700, 750),
    entry("resume", 600),
    entry("pause", 500, 650),
    entry("unlock", 400),
    entry("resume", 300),
  ];
  expect(pausesOf(entries)).toEqual([
    { fromMs: 500, toMs: 600 },
    { fromMs: 700, toMs: 750 },
    { fromMs: 900, toMs: Number.POSITIVE_INFINITY },
  ]);
  expect(pausesOf([])).toEqual([]);
});

test("the first instant of a pause is in it, its last is not", () => {
  const spans = [
    { fromMs: 10, toMs: 20 },
    { fromMs: 30, toMs: 40 },
  ];
  expect([9, 10, 19, 20, 30, 40].filter((timeMs) => isIn(spans, timeMs))).toEqual([10, 19, 30]);
});

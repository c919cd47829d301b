import { describe, expect, test } from "vitest";
import type { RunRecord } from "../../lib/run/index.ts";
import {
  type Condition,
  emptyQueue,
  fenceAsSeen,
  isHeldBy,
  isNewerThanAll,
  isNotOlderThanAll,
  isNotRenewedSince,
  isPaused,
  isReadable,
  lastAsSeen,
  leaseAsSeen,
  mayReplaceRecord,
  noLease,
  noRecord,
  noStop,
  notPaused,
  pauseAsSeen,
  queueAsSeen,
  recordAsSeen,
  waitsAt,
} from "../../lib/store/conditions.ts";
import type { Item } from "../../lib/store/request.ts";
import { holds } from "../simulation/model-table.ts";

const AT = "2026-03-02T02:00:00.000Z";
const AT_MS = Date.parse(AT);
const EARLIER = "2026-03-02T01:59:59.999Z";
const LATER = "2026-03-02T02:00:00.001Z";
const key = { pk: "f#job#j", sk: "state" };
const lease = { owner: "me", expiresAt: AT };
const seenLease = { owner: "me", expiresAtMs: AT_MS } as never;

/** Who left last left an empty list. */
const left: Item = { ...key, queue: [] };
const queueOf = (...runIds: string[]) => ({ ...key, queue: runIds.map((runId) => ({ runId })) });

/** Which of the items the condition lets pass, by their names. */
function passed(condition: Condition, items: Record<string, Item | undefined>): string[] {
  return Object.keys(items).filter((name) => holds(condition, items[name]));
}

test.each<[string, Condition, Record<string, Item | undefined>, string[]]>([
  ["no lease", noLease, { none: undefined, free: key, held: { ...key, lease } }, ["none", "free"]],
  ["no pause", notPaused, { none: undefined, free: key, paused: { ...key, paused: { at: AT } } }, ["none", "free"]],
  ["a pause", isPaused, { none: undefined, free: key, paused: { ...key, paused: { at: AT } } }, ["paused"]],
  ["no request to stop", noStop, { none: undefined, free: key, asked: { ...key, stop: {} } }, ["none", "free"]],
  ["no record", noRecord, { none: undefined, there: key }, ["none"]],
  [
    "a format that is known",
    isReadable,
    { none: undefined, old: key, this: { v: 1 }, newer: { v: 2 } },
    ["none", "old", "this"],
  ],
  [
    "newer than the mark",
    isNewerThanAll("b"),
    { none: undefined, unmarked: key, older: { highWater: "a" }, same: { highWater: "b" }, newer: { highWater: "c" } },
    ["none", "unmarked", "older"],
  ],
  [
    "not older than the mark",
    isNotOlderThanAll("b"),
    { none: undefined, unmarked: key, older: { highWater: "a" }, same: { highWater: "b" }, newer: { highWater: "c" } },
    ["none", "unmarked", "older", "same"],
  ],
  [
    "the fence that was seen",
    fenceAsSeen({ fence: 7 }),
    { none: undefined, same: { fence: 7 }, next: { fence: 8 } },
    ["same"],
  ],
  ["still no fence", fenceAsSeen({}), { none: undefined, item: key, one: { fence: 1 } }, ["none", "item"]],
  [
    "the lease that was seen",
    leaseAsSeen({ lease: seenLease }),
    {
      free: key,
      same: { lease },
      renewed: { lease: { ...lease, expiresAt: LATER } },
      other: { lease: { ...lease, owner: "you" } },
    },
    ["same"],
  ],
  ["still no lease", leaseAsSeen({}), { free: key, held: { lease } }, ["free"]],
  ["the owner", isHeldBy("me"), { free: key, mine: { lease }, other: { lease: { ...lease, owner: "you" } } }, ["mine"]],
  [
    "not renewed further",
    isNotRenewedSince(seenLease),
    {
      older: { lease: { ...lease, expiresAt: EARLIER } },
      same: { lease },
      further: { lease: { ...lease, expiresAt: LATER } },
    },
    ["older", "same"],
  ],
  [
    "the pause that was seen",
    pauseAsSeen({ by: "a", reason: "b", atMs: AT_MS }),
    { free: key, same: { paused: { at: AT } }, other: { paused: { at: LATER } } },
    ["same"],
  ],
  ["still no pause", pauseAsSeen(undefined), { free: key, paused: { paused: { at: AT } } }, ["free"]],
  [
    "the last run that was seen",
    lastAsSeen({ last: { runId: "r", status: "FAILED", endedMs: AT_MS }, consecutiveFailures: 0 }),
    {
      none: key,
      same: { last: { runId: "r", endedAt: AT } },
      run: { last: { runId: "s", endedAt: AT } },
      again: { last: { runId: "r", endedAt: LATER } },
    },
    ["same"],
  ],
  [
    "still no last run",
    lastAsSeen({ consecutiveFailures: 0 }),
    { none: key, one: { last: { runId: "r", endedAt: AT } } },
    ["none"],
  ],
  ["nobody who waits", emptyQueue, { none: undefined, item: key, left, one: queueOf("a") }, ["none", "item", "left"]],
  [
    "as many who wait as were seen",
    queueAsSeen({ queue: queueOf("a", "b").queue as never[] }),
    { item: key, fewer: queueOf("a"), same: queueOf("a", "b"), more: queueOf("a", "b", "c") },
    ["same"],
  ],
  ["still nobody who waits", queueAsSeen({}), { item: key, left, one: queueOf("a") }, ["item", "left"]],
  [
    "the place in the queue",
    waitsAt({ at: 1, runId: "b" }),
    { item: key, there: queueOf("a", "b"), moved: queueOf("b"), other: queueOf("b", "a") },
    ["there"],
  ],
])("%s", (_name, condition, items, expected) => {
  expect(passed(condition, items)).toEqual(expected);
});

describe("a record that was seen", () => {
  const record = (fence: number, status: string, v = 1) => ({ ...key, fence, status, v });

  test("is the same by its token, its status and its steps, in a format that is known", () => {
    const items = {
      "with a step": { ...record(7, "FAILED"), stepCount: 1 },
      "with two": { ...record(7, "FAILED"), stepCount: 2 },
      none: undefined,
      same: record(7, "FAILED"),
      newer: record(8, "FAILED"),
      ended: record(7, "LOST"),
      unknown: record(7, "FAILED", 2),
    };
    const seen = { fence: 7, status: "FAILED" } as RunRecord;
    expect(passed(recordAsSeen(seen), items)).toEqual(["same"]);
    expect(passed(recordAsSeen({ ...seen, steps: [{ name: "charge" }] }), items)).toEqual(["with a step"]);
    expect(passed(recordAsSeen(undefined), items)).toEqual(["none"]);
  });
});

describe("a record may be replaced", () => {
  const record = (fence: number, status: string, more: Item = {}) => ({ ...key, fence, status, v: 1, ...more });
  const items = {
    none: undefined,
    "older, running": record(6, "RUNNING"),
    "older, failed": record(6, "FAILED"),
    "older, timed out": record(6, "TIMED_OUT"),
    "older, lost": record(6, "LOST"),
    "older, succeeded": record(6, "SUCCEEDED"),
    "older, skipped": record(6, "SKIPPED"),
    "older, cancelled": record(6, "CANCELLED"),
    "this, running": record(7, "RUNNING"),
    "this, lost": record(7, "LOST"),
    "this, succeeded": record(7, "SUCCEEDED"),
    "newer, running": record(8, "RUNNING"),
    "newer, failed": record(8, "FAILED"),
    "older, unknown format": record(6, "FAILED", { v: 2 }),
  };

  test("by a newer attempt unless it is final, and by its own while it runs", () => {
    expect(passed(mayReplaceRecord({ fence: 7, status: "FAILED" } as RunRecord), items)).toEqual([
      "none",
      "older, running",
      "older, failed",
      "older, timed out",
      "older, lost",
      "this, running",
    ]);
  });

  test("by its own attempt only with all the steps that it has, and while it goes on with one more", () => {
    const stepped = {
      none: record(7, "RUNNING"),
      fewer: record(7, "RUNNING", { stepCount: 1 }),
      same: record(7, "RUNNING", { stepCount: 2 }),
      more: record(7, "RUNNING", { stepCount: 3 }),
      "more, of an older attempt": record(6, "FAILED", { stepCount: 3 }),
    };
    const steps = [{ name: "charge" }, { name: "mail" }];
    const by = (status: string) => passed(mayReplaceRecord({ fence: 7, status, steps } as never), stepped);
    expect(by("RUNNING")).toEqual(["none", "fewer", "more, of an older attempt"]);
    expect(by("FAILED")).toEqual(["none", "fewer", "same", "more, of an older attempt"]);
    expect(by("SUCCEEDED")).toEqual(["none", "fewer", "same", "more", "more, of an older attempt"]);
    expect(passed(mayReplaceRecord({ fence: 7, status: "FAILED" } as RunRecord), stepped)).toEqual([
      "none",
      "more, of an older attempt",
    ]);
  });
});

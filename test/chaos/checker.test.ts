import { describe, expect, test } from "vitest";
import { type Ending, type Rule, violations } from "./checker.ts";
import type { Answer, Entry } from "./history.ts";

const RUN = "2026-03-02T02:00:00.000Z#default";
const NEXT = "2026-03-02T03:00:00.000Z#default";

const delivered = (runId: string, commits = false): Entry => ({
  kind: "delivered",
  job: "j",
  runId,
  deliveryId: `of ${runId}`,
  commits,
});
const invoked = (invocation: string, runId: string): Entry => ({
  kind: "invoked",
  job: "j",
  runId,
  deliveryId: `of ${runId}`,
  invocation,
  host: 1,
});
const start = (invocation: string, runId: string, fence: number, atMs: number, attempt = 1): Entry => ({
  kind: "start",
  job: "j",
  runId,
  invocation,
  attempt,
  fence,
  atMs,
  deadlineMs: 10_000,
});
const atWork = (invocation: string, atMs: number): Entry => ({ kind: "at-work", invocation, atMs });
const end = (invocation: string, atMs: number): Entry => ({ kind: "end", invocation, atMs, how: "returned" });
const recorded = (runId: string, status: string, fence: number): Entry => ({
  kind: "recorded",
  job: "j",
  runId,
  status,
  fence,
});
const state = (holder?: string): Entry => ({ kind: "state", job: "j", fence: 1, holder });
const answered = (invocation: string, answer: Answer): Entry => ({ kind: "answered", invocation, answer });
const deadLettered = (runId: string): Entry => ({ kind: "dead-lettered", job: "j", runId, deliveryId: `of ${runId}` });

const record = (runId: string, status: string, fence: number) => ({ job: "j", runId, status, fence });
const effects = (kind: string, ...list: (readonly [string, number])[]): Ending["effects"] => [
  { job: "j", kind, list: list.map(([runId, fence]) => ({ runId, fence })) },
];

function found(history: readonly Entry[], ending: Partial<Ending> = {}, rule: Partial<Rule> = {}): string[] {
  return violations(history, { records: [], waiting: [], effects: [], ...ending }, () => ({
    alone: "job",
    locks: [],
    queueLength: 10,
    ...rule,
  }));
}

test("a run after the other breaks nothing", () => {
  const history = [
    ...[delivered(RUN), invoked("a", RUN), state(RUN), start("a", RUN, 1, 0), atWork("a", 400)],
    ...[end("a", 500), recorded(RUN, "SUCCEEDED", 1), state(), answered("a", { outcome: "completed" })],
    ...[delivered(NEXT), invoked("b", NEXT), state(NEXT), start("b", NEXT, 2, 900), end("b", 1_200)],
    ...[recorded(NEXT, "FAILED", 2), state(), answered("b", { outcome: "failed", error: "as planned" })],
    ...[invoked("c", NEXT), state(NEXT), start("c", NEXT, 3, 1_500, 2), end("c", 1_600)],
    ...[recorded(NEXT, "SUCCEEDED", 3), state(), answered("c", { outcome: "completed" })],
  ];
  expect(found(history, { records: [record(RUN, "SUCCEEDED", 1), record(NEXT, "SUCCEEDED", 3)] })).toEqual([]);
});

describe("I1: two handlers at work together", () => {
  const beside = [start("a", RUN, 1, 0), start("b", NEXT, 2, 300), atWork("a", 400)];

  test("is a violation, once for each that started", () => {
    expect(found([...beside, atWork("a", 800), end("b", 900)])).toEqual([
      `I1: b (${NEXT}, attempt 1) started beside a (${RUN}, attempt 1)`,
    ]);
  });

  test("is known by an end as well as by a sign of work", () => {
    expect(found([start("a", RUN, 1, 0), start("b", NEXT, 2, 300), end("a", 400)])).toHaveLength(1);
  });

  test("is none when the first was killed before, and gave no sign any more", () => {
    expect(found([start("a", RUN, 1, 0), atWork("a", 200), start("b", NEXT, 2, 300), end("b", 900)])).toEqual([]);
  });

  test("is none without a lock, but for one and the same run", () => {
    expect(found(beside, {}, { alone: "run" })).toEqual([]);
    const same = [start("a", RUN, 1, 0), start("b", RUN, 2, 300), atWork("a", 400)];
    expect(found(same, {}, { alone: "run" })).toHaveLength(1);
  });

  test("is one between jobs that share a lock, and none between others", () => {
    const other: Entry = { ...start("b", NEXT, 2, 300), job: "k" } as Entry;
    const history = [start("a", RUN, 1, 0), other, atWork("a", 400)];
    expect(found(history, {}, { locks: ["ledger"] })).toHaveLength(1);
    expect(found(history)).toEqual([]);
  });

  test("is the platform's fault where the first should have been killed by then", () => {
    expect(found([start("a", RUN, 1, 9_000), start("b", NEXT, 2, 9_900), atWork("a", 10_001)])).toEqual([]);
  });

  test("is excused for the moment at which a process comes back from a standstill, and no longer", () => {
    const thawed = [start("a", RUN, 1, 0), start("b", NEXT, 2, 4_000), atWork("a", 5_000)];
    expect(found(thawed)).toEqual([]);
    expect(found([...thawed, atWork("a", 5_400)])).toHaveLength(1);
  });
});

test("I2: a start after its run had SUCCEEDED", () => {
  const history = [start("a", RUN, 1, 0), end("a", 100), recorded(RUN, "SUCCEEDED", 1), start("b", RUN, 2, 900, 2)];
  expect(found(history, { records: [record(RUN, "SUCCEEDED", 1)] })).toEqual([
    `I2: b (${RUN}, attempt 2) started though its run had SUCCEEDED`,
  ]);
});

describe("I3: a fencing token that does not grow", () => {
  const history = [start("a", RUN, 2, 0), end("a", 100), start("b", NEXT, 1, 900), end("b", 950)];

  test("is a violation, also when it stays the same", () => {
    expect(found(history)).toEqual([`I3: b (${NEXT}, attempt 1) has fencing token 1 after 2`]);
    expect(found([start("a", RUN, 2, 0), end("a", 100), start("b", NEXT, 2, 900)])).toHaveLength(1);
  });

  test("is none between two runs that no lock puts in order", () => {
    expect(found(history, {}, { alone: "run" })).toEqual([]);
  });
});

test("I4: an effect that landed after one with a greater token", () => {
  expect(found([], { effects: effects("guarded", [RUN, 1], [NEXT, 2], [NEXT, 2]) })).toEqual([]);
  expect(found([], { effects: effects("guarded", [NEXT, 2], [RUN, 1]) })).toEqual([
    `I4: j ${RUN} guarded at 1 after 2`,
  ]);
});

test("I5: a final record that was replaced", () => {
  const history = [recorded(RUN, "SUCCEEDED", 1)];
  expect(found(history, { records: [record(RUN, "LOST", 1)] })).toEqual([
    `I5: j ${RUN} was SUCCEEDED at 1 and is LOST at 1`,
  ]);
  expect(found(history, { records: [record(RUN, "SUCCEEDED", 2)] })).toHaveLength(1);
});

describe("effects of a commit", () => {
  const succeeded = { records: [record(RUN, "SUCCEEDED", 1)] };

  test("that are there twice", () => {
    expect(found([], { ...succeeded, effects: effects("committed", [RUN, 1], [RUN, 1]) })).toEqual([
      `commit: the effects of j ${RUN} are there 2 times instead of 1`,
    ]);
  });

  test("that are there though the run did not succeed", () => {
    const lost = { records: [record(RUN, "LOST", 1)], effects: effects("committed", [RUN, 1]) };
    expect(found([], lost)).toEqual([`commit: the effects of j ${RUN} are there 1 times instead of 0`]);
  });

  test("that are missing though the run succeeded", () => {
    expect(found([delivered(RUN, true)], succeeded)).toEqual([
      `commit: the effects of j ${RUN} are there 0 times instead of 1`,
    ]);
  });
});

test("a step that was done again after its result was kept", () => {
  const step = (kind: "step" | "step kept", invocation: string): Entry => ({ kind, job: "j", runId: RUN, invocation });
  expect(found([step("step", "a"), step("step", "b"), step("step kept", "b")])).toEqual([]);
  expect(found([step("step", "a"), step("step kept", "a"), step("step", "b")])).toEqual([
    `step: b did a step of ${RUN} that was kept`,
  ]);
});

describe("I6: a run that was delivered and did not end", () => {
  test("has vanished, whether a record of it is left or none", () => {
    expect(found([delivered(RUN)])).toEqual([`I6: j ${RUN} vanished: it is undefined`]);
    expect(found([delivered(RUN)], { records: [record(RUN, "LOST", 1)] })).toEqual([
      `I6: j ${RUN} vanished: it is LOST`,
    ]);
  });

  test("may wait for its turn", () => {
    expect(found([delivered(RUN)], { waiting: [{ job: "j", runId: RUN }] })).toEqual([]);
  });

  test("is explained by a dead letter", () => {
    expect(found([delivered(RUN), deadLettered(RUN)], { records: [record(RUN, "LOST", 1)] })).toEqual([]);
  });
});

describe("I7: a skip for a holder", () => {
  const skip = (heldBy?: string) => answered("b", { outcome: "skipped", reason: "overlap", heldBy });

  test("that held the lock when the invocation began, or since", () => {
    expect(found([state(RUN), invoked("b", NEXT), skip(RUN)])).toEqual([]);
    expect(found([invoked("b", NEXT), state(RUN), state(), skip(RUN)])).toEqual([]);
  });

  test("that held a shared lock is looked for there", () => {
    const held: Entry = { kind: "state", job: "lock ledger", holder: RUN };
    const shared = { name: "ledger", job: "k" };
    const answer = answered("b", { outcome: "skipped", reason: "overlap", heldBy: RUN, sharedLock: shared });
    expect(found([held, invoked("b", NEXT), answer])).toEqual([]);
    expect(found([state(RUN), invoked("b", NEXT), answer])).toHaveLength(1);
  });

  test("that did not hold it is a fault that was taken for a lock", () => {
    expect(found([state(RUN), state(), invoked("b", NEXT), skip(RUN)])).toEqual([
      `I7: b skipped for ${RUN}, which did not hold the lock`,
    ]);
    expect(found([invoked("b", NEXT), skip()])).toHaveLength(1);
  });

  test("names none where as many wait as may: 10 of this job", () => {
    const waiting = (count: number): Entry => ({ kind: "state", job: "j", fence: 1, waiting: count });
    expect(found([waiting(10), invoked("b", NEXT), skip()])).toEqual([]);
    expect(found([waiting(9), invoked("b", NEXT), skip()])).toHaveLength(1);
  });
});

test("I8: a handler that started in an occurrence that is SKIPPED", () => {
  expect(found([start("a", RUN, 1, 0)], { records: [record(RUN, "SKIPPED", 1)] })).toEqual([
    `I8: a (${RUN}, attempt 1) started and is SKIPPED`,
  ]);
});

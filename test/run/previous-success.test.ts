import { expect, test } from "vitest";
import { finish } from "../../lib/run/index.ts";
import { previousSuccess } from "../../lib/run/previous-success.ts";
import { first, Model, manual, NEXT, NEXT_MS, next, RUN, T0 } from "./model.ts";

const SECOND = 1_000;
const success = { runId: RUN, scheduledTimeMs: T0, endedMs: T0 + SECOND };

function afterOneSuccess(): Model {
  const model = new Model();
  model.perform(finish(model.hold(first), { status: "SUCCEEDED", endedMs: T0 + SECOND }));
  model.takeSent();
  return model;
}

test("a newer run is told by the state, at no cost", () => {
  const model = afterOneSuccess();
  expect(model.hold(next(T0 + 2 * SECOND)).previousSuccess).toEqual(success);
  expect(model.takeSent()).toEqual(["acquire-newest"]);
});

test("a run that is not newer than the newest success looks among the records", () => {
  const model = afterOneSuccess();
  model.perform(finish(model.hold(next(T0 + 2 * SECOND)), { status: "SUCCEEDED", endedMs: T0 + 3 * SECOND }));
  const overtaken = next(T0 + 4 * SECOND, {
    runId: "2026-03-02T02:30:00.000Z#default",
    scheduledTimeMs: T0 + 1_800_000,
  });
  expect(model.hold(overtaken).previousSuccess).toEqual(success);
  expect(model.takeSent().at(-1)).toBe("find-success");
});

test("the occurrence of the newest success itself has the one before", () => {
  const hold = { ...afterOneSuccess().hold(next(T0 + 2 * SECOND)), delivery: first };
  const protocol = previousSuccess(hold);
  expect(protocol.next().value).toEqual({ kind: "find-success", job: "nightly-report", beforeMs: T0 });
});

test("a manual run looks from the time that it works for, else from its start", () => {
  const model = afterOneSuccess();
  const hold = model.hold({ ...manual, receivedMs: T0 + 2 * SECOND });
  expect(hold.previousSuccess).toEqual(success);
  const backThen = previousSuccess({ ...hold, delivery: { ...manual, workTimeMs: T0 - 5 } });
  expect(backThen.next().value).toMatchObject({ kind: "find-success", beforeMs: T0 - 5 });
  const atOnce = previousSuccess({ ...hold, startedMs: T0 });
  expect(atOnce.next().value).toMatchObject({ kind: "find-success", beforeMs: T0 });
});

test("it looks page by page, until it has found one or there is no more", () => {
  const hold = { ...afterOneSuccess().hold(next(T0 + 2 * SECOND)), delivery: first };
  const found = previousSuccess(hold);
  found.next();
  const second = found.next({ nowMs: T0, applied: true, cursor: "page-2" });
  expect(second.value).toEqual({ kind: "find-success", job: "nightly-report", beforeMs: T0, cursor: "page-2" });
  const older = { runId: "older", scheduledTimeMs: T0 - NEXT_MS, endedMs: 0 };
  const last = found.next({ nowMs: T0, applied: true, success: older, cursor: "page-3" });
  expect(last).toEqual({ done: true, value: older });

  const none = previousSuccess(hold);
  none.next();
  none.next({ nowMs: T0, applied: true, cursor: "page-2" });
  expect(none.next({ nowMs: T0, applied: true })).toEqual({ done: true, value: undefined });
});

test("where nothing succeeded yet nothing is looked for", () => {
  const model = new Model();
  expect(model.hold(first).previousSuccess).toBeUndefined();
  expect(model.takeSent()).toEqual(["acquire-newest"]);
  expect(model.record(NEXT)).toBeUndefined();
});

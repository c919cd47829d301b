import { expect, test } from "vitest";
import { finish, recordSteps } from "../../lib/run/index.ts";
import { FIRST_FENCE, first, Model, RUN, T0 } from "./model.ts";

const steps = [{ name: "charge", json: '"ok"' }];

test("a step is recorded while its attempt is at work, also when the reply was lost", () => {
  const model = new Model();
  const hold = { ...model.hold(first), steps };
  expect(model.perform(recordSteps(hold))).toEqual({ recorded: true });
  expect(model.perform(recordSteps(hold))).toEqual({ recorded: true });
  expect(model.record(RUN)).toMatchObject({ status: "RUNNING", fence: FIRST_FENCE, steps });
});

test("a step is not recorded for an attempt that has ended: what it finds says how", () => {
  const model = new Model();
  const hold = model.hold(first);
  model.perform(finish(hold, { status: "FAILED", endedMs: T0 }));
  expect(model.perform(recordSteps({ ...hold, steps }))).toMatchObject({
    recorded: false,
    found: { status: "FAILED", fence: FIRST_FENCE },
  });
});

import { describe, expect, test } from "vitest";
import { whyText } from "../../lib/cli/status.ts";
import { meanwhile } from "../../lib/cli/trigger.ts";

const heldBy = "2026-05-02T00:30:00.000Z#default";

describe("OP-14: why a run was skipped says the reason, and the run that was in the way", () => {
  test.for([
    [{ reason: "overlap", heldBy }, `overlap: ${heldBy} held the lock`],
    [
      { reason: "overlap", heldBy, heldOver: true },
      `overlap: ${heldBy} timed out or crashed, and its hold on the lock was not over`,
    ],
    [
      { reason: "overlap", heldBy, sharedLock: { name: "billing-db", job: "payouts" } },
      `overlap: ${heldBy} of payouts held the lock billing-db`,
    ],
    [{ reason: "overlap", queueFull: true }, "overlap: as many runs waited as may"],
    [
      { reason: "overlap", queueFull: true, heldBy },
      `overlap: as many runs waited as may, and ${heldBy} held the lock`,
    ],
    [{ reason: "paused" }, "paused"],
    [{ reason: "late" }, "late"],
  ] as const)("%o", ([run, text]) => {
    expect(whyText(run)).toBe(text);
  });
});

test.each([
  [{ waiting: 9, length: 10 }, "this run waits for its turn"],
  [{ waiting: 10, length: 10 }, "this run is skipped (overlap): 10 wait, and no more may (queueLength)"],
  [{ waiting: 3 }, "this run waits for its turn behind 3, or is skipped if no more may wait"],
])("a run that finds the queue as %j", (queue, text) => {
  expect(meanwhile("queue", queue)).toBe(text);
});

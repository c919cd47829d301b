import { expect } from "vitest";
import { scheduledRunId } from "../../lib/run/index.ts";
import { delivery, MINUTE, started, T0, test } from "./scene.ts";

const HOUR = 60 * MINUTE;

test("OP-16: what an outage of six hours has left waits in order behind the first, whatever the policy, and is never late", async ({
  scene,
}) => {
  const skip = { overlap: "skip" } as const;
  await scene.finish(await scene.hold(delivery(skip)));
  scene.nowMs = T0 + 6 * HOUR;
  // The watchdog starts the newest ten of 72; meanwhile a fresh occurrence arrives.
  const missed = Array.from({ length: 10 }, (_, index) => T0 + 6 * HOUR - (10 - index) * 5 * MINUTE);
  const startOf = (timeMs: number) =>
    started(scheduledRunId(timeMs, "default"), "catch-up", { ...skip, receivedMs: scene.nowMs });
  const answers = [];
  for (const timeMs of missed) answers.push((await scene.begin(startOf(timeMs))).kind);
  expect(answers).toEqual(["held", ...Array(9).fill("queued")]);
  expect(await scene.begin(delivery({ ...skip, at: scene.nowMs }))).toMatchObject({
    kind: "skipped",
    reason: "overlap",
    heldBy: "2026-03-02T07:10:00.000Z#default",
  });

  const { state } = await scene.queries.readJob("nightly-report", { limit: 1 });
  expect(state?.queue?.map(({ runId, cause }) => [runId.slice(11, 16), cause])).toEqual(
    ["07:15", "07:20", "07:25", "07:30", "07:35", "07:40", "07:45", "07:50", "07:55"].map((time) => [time, "catch-up"]),
  );
  // A duplicate of one that is started again changes nothing.
  expect(await scene.begin(startOf(missed[4] as number))).toMatchObject({ kind: "queued", position: 4 });
});

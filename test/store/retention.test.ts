import { describe, expect } from "vitest";
import { delivery, JOB, MINUTE, redelivery, SECOND, T0, test } from "./scene.ts";

const DAY = 24 * 60 * MINUTE;
const retentionMs = 30 * DAY;

describe("SC-05: a job's history", () => {
  test("stops growing: of 60 days of daily runs those of the last 30 remain", async ({ scene }) => {
    const expiresMs: number[] = [];
    for (let atMs = T0; atMs < T0 + 60 * DAY; atMs += DAY) {
      scene.nowMs = atMs;
      const begun = delivery({ at: atMs, retentionMs });
      await scene.finish(await scene.hold(begun));
      const record = await scene.record(begun.runId);
      expiresMs.push(Number(record?.["ttl"]) * SECOND);
    }
    // A job of each minute has 43,200 in the same way.
    expect(expiresMs.filter((ms) => ms > scene.nowMs)).toHaveLength(30);
    expect(await scene.queries.listRuns(JOB, { limit: 10 })).toHaveLength(10);
  });

  test("never takes the record of a run at work: it stays for 30 days from the attempt's begin", async ({ scene }) => {
    const first = delivery({ retentionMs });
    await scene.finish(await scene.hold(first), { status: "FAILED" });
    scene.nowMs = T0 + DAY;
    await scene.hold({ ...redelivery(first, T0 + DAY), retentionMs });
    expect(await scene.record(first.runId)).toMatchObject({
      status: "RUNNING",
      ttl: (T0 + 31 * DAY) / SECOND,
    });
  });

  test("never takes the state with it, nor the lease of a run at work", async ({ scene }) => {
    await scene.hold(delivery({ retentionMs }));
    const state = await scene.state();
    expect(state).toHaveProperty("lease");
    expect(state).not.toHaveProperty("ttl");
  });
});

import { ScanCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect } from "vitest";
import { begin, note, pause, resume, unlock } from "../../lib/run/index.ts";
import { TABLE_NAME } from "./dynamo.ts";
import { delivery, JOB, MINUTE, manual, SECOND, started, T0, test } from "./scene.ts";

const RUN = "2026-03-02T02:00:00.000Z#default";
const RETENTION = 90 * 24 * 60 * MINUTE;
let actions = 0;
const by = (name: string, reason = "the source is down") => ({
  by: name,
  reason,
  id: `a${++actions}`,
  retentionMs: RETENTION,
});

describe("a pause", () => {
  test("says who, why and until when, and leaves an entry in the same write", async ({ scene }) => {
    scene.table.takeRequests();
    const answer = await scene.walk(pause(JOB, by("ada"), T0 + MINUTE)).result();

    expect(answer).toEqual({
      kind: "paused",
      paused: { by: "ada", reason: "the source is down", atMs: T0, untilMs: T0 + MINUTE },
    });
    expect(scene.table.takeRequests()).toEqual(["GetItem", "TransactWriteItems"]);
    expect((await scene.queries.readJob(JOB, { limit: 1 })).state?.paused).toEqual({
      by: "ada",
      reason: "the source is down",
      atMs: T0,
      untilMs: T0 + MINUTE,
    });
    expect(await scene.queries.listAudit(JOB, { limit: 10 })).toMatchObject([
      { action: "pause", by: "ada", reason: "the source is down", atMs: T0, untilMs: T0 + MINUTE },
    ]);
  });

  test("leaves an entry that expires by whole seconds in ten digits, 90 days after it (LK-02)", async ({ scene }) => {
    await scene.walk(pause(JOB, by("ada"))).result();
    const { Items = [] } = await scene.table.client.send(new ScanCommand({ TableName: TABLE_NAME }));
    expect(Items.filter(({ sk }) => sk?.S?.startsWith("audit#")).map(({ ttl }) => ttl)).toEqual([{ N: "1780192800" }]);
  });

  test("of two operators at once is one's; the other is told whose", async ({ scene }) => {
    const grace = scene.walk(pause(JOB, by("grace")));
    await grace.step(); // she has looked
    await scene.walk(pause(JOB, by("ada"))).result();

    expect(await grace.result()).toMatchObject({ kind: "conflict", state: { paused: { by: "ada" } } });
    expect(await scene.queries.listAudit(JOB, { limit: 10 })).toMatchObject([{ by: "ada" }]);
  });

  test("that has run out is none: the occurrence runs, and the pause is gone", async ({ scene }) => {
    await scene.walk(pause(JOB, by("ada"), T0 + MINUTE)).result();
    scene.nowMs = T0 + MINUTE - 1;
    expect(await scene.begin(delivery({ at: T0 + 30 * SECOND, receivedMs: scene.nowMs }))).toMatchObject({
      kind: "skipped",
      reason: "paused",
    });

    scene.nowMs = T0 + MINUTE;
    await scene.hold(delivery({ at: T0 + MINUTE }));
    expect(await scene.state()).not.toHaveProperty("paused");
  });

  test("that has run out lets runs go beside each other, too", async ({ scene }) => {
    await scene.walk(pause(JOB, by("ada"), T0 + MINUTE)).result();
    scene.nowMs = T0 + MINUTE;
    await scene.hold(delivery({ at: T0 + MINUTE, overlap: "allow" }));
    expect(await scene.state()).not.toHaveProperty("paused");
  });

  test("that another operator made anew since the look holds", async ({ scene }) => {
    await scene.walk(pause(JOB, by("ada"), T0 + MINUTE)).result();
    scene.nowMs = T0 + MINUTE;
    const looked = scene.walk(begin(delivery({ at: T0 + MINUTE })));
    await looked.step(); // refused, with the pause that has run out
    await scene.walk(pause(JOB, by("grace"))).result();
    expect(await looked.result()).toMatchObject({ kind: "skipped", reason: "paused" });
  });

  test.for([
    ["a manual run", manual("request-1", { at: T0 + MINUTE })],
    ["a manual run without a lock", manual("request-1", { at: T0 + MINUTE, overlap: "allow" })],
    ["a backfill", started(RUN, "backfill", { receivedMs: T0 + MINUTE, leaseExpiresAtMs: T0 + 2 * MINUTE })],
  ] as const)("made anew since the look stays, though %s starts all the same", async ([_who, run], { scene }) => {
    await scene.walk(pause(JOB, by("ada"), T0 + MINUTE)).result();
    scene.nowMs = T0 + MINUTE;
    const looked = scene.walk(begin(run));
    await looked.step(); // with the pause that has run out
    await scene.walk(pause(JOB, by("grace"))).result();
    expect(await looked.result()).toMatchObject({ kind: "held" });
    expect(await scene.state()).toMatchObject({ paused: { by: "grace" } });
  });
});

describe("resume", () => {
  test("ends the pause that the operator saw, and tells whose it was", async ({ scene }) => {
    await scene.walk(pause(JOB, by("ada"))).result();
    scene.nowMs = T0 + MINUTE;
    expect(await scene.walk(resume(JOB, by("grace", "it is back"), T0)).result()).toMatchObject({
      kind: "resumed",
      paused: { by: "ada" },
    });
    expect(await scene.state()).not.toHaveProperty("paused");
    expect((await scene.queries.listAudit(JOB, { limit: 1 }))[0]).toMatchObject({
      action: "resume",
      by: "grace",
      reason: "it is back",
      detail: "paused by ada since 2026-03-02T02:00:00Z: the source is down",
    });
  });

  test("of another pause than the one seen is a conflict", async ({ scene }) => {
    await scene.walk(pause(JOB, by("ada"))).result();
    expect(await scene.walk(resume(JOB, by("grace"), T0 - MINUTE)).result()).toMatchObject({ kind: "conflict" });
    expect(await scene.state()).toHaveProperty("paused");
  });

  test("of a job that is not paused is nothing to do", async ({ scene }) => {
    expect(await scene.walk(resume(JOB, by("ada"))).result()).toEqual({ kind: "not-paused" });
    expect(await scene.queries.listAudit(JOB, { limit: 1 })).toEqual([]);
  });
});

describe("unlock", () => {
  test("takes the lock, and refuses all that its holder writes from then on (OP-01)", async ({ scene }) => {
    const hold = await scene.hold(delivery());
    scene.nowMs = T0 + 10 * SECOND;
    const answer = await scene.walk(unlock(JOB, by("ada", "it hangs"), hold.delivery.owner)).result();

    expect(answer).toMatchObject({ kind: "unlocked", lease: { runId: RUN } });
    expect(await scene.state()).toMatchObject({ fence: hold.fencingToken + 1, last: { runId: RUN, status: "LOST" } });
    expect(await scene.state()).not.toHaveProperty("lease");

    scene.nowMs = T0 + 20 * SECOND;
    expect(await scene.finish(hold)).toMatchObject({ recorded: false, found: { status: "LOST" } });
    expect(await scene.record(RUN)).toMatchObject({
      status: "LOST",
      endedAt: "2026-03-02T02:00:10.000Z",
      error: { name: "RunUnlocked", message: "ada took its lock: it hangs" },
    });
    expect(await scene.queries.listAudit(JOB, { limit: 1 })).toMatchObject([
      { action: "unlock", by: "ada", detail: `the lock of run ${RUN}, attempt 1, fencing token ${hold.fencingToken}` },
    ]);
  });

  test("lets the next run start at once", async ({ scene }) => {
    const hold = await scene.hold(delivery());
    await scene.walk(unlock(JOB, by("ada"), hold.delivery.owner)).result();
    expect((await scene.hold(manual("request-1"))).fencingToken).toBe(hold.fencingToken + 2);
  });

  test("frees the shared locks of the holder: another job that names them starts at once (OP-01)", async ({
    scene,
  }) => {
    const locks = ["billing-db"];
    const hold = await scene.hold(delivery({ job: "invoicing", locks }));
    expect((await scene.queries.readJob("invoicing", { limit: 1 })).state?.lease?.locks).toEqual(["billing-db"]);
    await scene.walk(unlock("invoicing", by("ada"), hold.delivery.owner)).result();
    expect(await scene.begin(delivery({ job: "payouts", locks }))).toMatchObject({ kind: "held" });
  });

  test("of a lock that has passed to another since the look changes nothing", async ({ scene }) => {
    const first = await scene.hold(delivery());
    const looked = scene.walk(unlock(JOB, by("ada"), first.delivery.owner));
    await looked.step();
    await scene.finish(first);
    const second = await scene.hold(delivery({ at: T0 + MINUTE }));

    expect(await looked.result()).toMatchObject({
      kind: "conflict",
      state: { lease: { owner: second.delivery.owner } },
    });
    expect(await scene.record(RUN)).toMatchObject({ status: "SUCCEEDED" });
    expect(await scene.finish(second)).toMatchObject({ recorded: true });
  });

  test("with another owner than the holder, or of a free lock, changes nothing (OP-01)", async ({ scene }) => {
    expect(await scene.walk(unlock(JOB, by("ada"), "anybody")).result()).toEqual({ kind: "not-locked" });
    const hold = await scene.hold(delivery());
    expect(await scene.walk(unlock(JOB, by("ada"), "anybody")).result()).toMatchObject({ kind: "conflict" });
    expect(await scene.finish(hold)).toMatchObject({ recorded: true });
  });
});

test("entries are listed newest first, and kept as long as told", async ({ scene }) => {
  await scene.walk(note(JOB, "backfill", by("ada"), T0, "2 runs")).result();
  await scene.walk(note(JOB, "resend", by("ada"), T0 + MINUTE, "1 event")).result();
  expect(await scene.queries.listAudit(JOB, { limit: 10 })).toMatchObject([
    { action: "resend", detail: "1 event" },
    { action: "backfill", detail: "2 runs", expiresAtMs: T0 + RETENTION },
  ]);
  expect(await scene.queries.listAudit(JOB, { limit: 1 })).toHaveLength(1);
  expect((await scene.queries.readJob(JOB, { limit: 10 })).runs).toEqual([]);
});

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createOperations } from "../../lib/operations/operations.ts";
import { backendOn, minute, nightly, openFleet } from "./fleet.ts";

const day = 24 * 60 * minute;
const firstSeenMs = Date.UTC(2026, 4, 1);
/** 02:30 in Berlin on 2 May 2026. */
const dueMs = Date.UTC(2026, 4, 2, 0, 30);
const scheduled = { runId: "2026-05-02T00:30:00.000Z#default", schedule: "default", scheduledTimeMs: dueMs };

let fleet: Awaited<ReturnType<typeof openFleet>>;
const at = (nowMs: number) => createOperations(backendOn(fleet, () => nowMs));

beforeEach(async () => {
  fleet = await openFleet();
  await fleet.register.putFleetJob(nightly, firstSeenMs);
});
afterEach(() => fleet.close());

describe("a pause", () => {
  test("is shown with who, why and until when, apart from being disabled in code, and survives a deployment", async () => {
    await at(dueMs).pause("nightly", { by: "ada", reason: "source down", until: "2026-05-04T00:00:00Z" });
    await fleet.register.putFleetJob({ ...nightly, enabled: false }, dueMs);

    expect(await at(dueMs + minute).describe("nightly")).toMatchObject({
      state: "disabled",
      disabled: true,
      paused: { by: "ada", reason: "source down", at: "2026-05-02T00:30:00Z", until: "2026-05-04T00:00:00Z" },
      audit: [{ action: "pause", by: "ada", reason: "source down" }],
    });
  });

  test("that has run out is not shown", async () => {
    await at(dueMs).pause("nightly", { by: "ada", reason: "source down", until: "2026-05-04T00:00:00Z" });

    const job = await at(Date.UTC(2026, 4, 4)).describe("nightly");
    expect(job.state).toBe("idle");
    expect(job.paused).toBeUndefined();
  });

  test("of a job that is paused is told whose pause stands", async () => {
    await at(dueMs).pause("nightly", { by: "ada", reason: "source down" });

    expect(await at(dueMs).pause("nightly", { by: "grace", reason: "too" })).toMatchObject({
      outcome: "already-paused",
      paused: { by: "ada" },
    });
  });

  test.each([
    [{ by: "ada", reason: " " }, "not only spaces"],
    [{ by: "ada", reason: "x".repeat(513) }, "513 characters"],
    [{ by: "", reason: "x" }, '"by"'],
    [{ by: "ada", reason: "x", until: "2026-05-01T00:00:00Z" }, "in the future"],
    [{ by: "ada", reason: "x", until: "tomorrow" }, "ISO 8601"],
  ])("asked for as %j is refused", async (request, reason) => {
    await expect(at(dueMs).pause("nightly", request)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining(reason),
    });
  });
});

describe("resume after three days (OP-04)", () => {
  beforeEach(async () => {
    await fleet.register.putFleetJob(
      { ...nightly, schedules: { default: { expression: "cron(* * * * ? *)", timeZone: "UTC" } } },
      firstSeenMs,
    );
    await at(dueMs).pause("nightly", { by: "ada", reason: "source down" });
  });

  test("counts what was skipped apart from what nobody delivered, and says that the next run is the next occurrence", async () => {
    for (const minutes of [0, 1, 2]) {
      const timeMs = dueMs + minutes * minute;
      const runId = `${new Date(timeMs).toISOString()}#default`;
      await fleet.start(timeMs, { runId, schedule: "default", scheduledTimeMs: timeMs });
    }
    expect(await at(dueMs + 3 * day).lookAtPause("nightly")).toMatchObject({
      skipped: { count: 3, first: "2026-05-02T00:30:00Z", last: "2026-05-02T00:32:00Z" },
      // Those of the last hour may still be on their way.
      unrecorded: { count: 4257, first: "2026-05-02T00:33:00Z", last: "2026-05-04T23:29:00Z" },
      next: "2026-05-05T00:30:00Z",
    });
  });

  test("knows of a schedule that was changed meanwhile what it did since", async () => {
    const hourly = { default: { expression: "cron(0 * * * ? *)", timeZone: "UTC" } };
    await fleet.register.putFleetJob({ ...nightly, schedules: hourly }, dueMs + 2 * day);
    expect(await at(dueMs + 2 * day + 4 * 60 * minute).lookAtPause("nightly")).toMatchObject({
      skipped: { count: 0 },
      unrecorded: { count: 3, first: "2026-05-04T01:00:00Z", last: "2026-05-04T03:00:00Z" },
      next: "2026-05-04T05:00:00Z",
    });
  });

  test("counts nothing of a schedule that the template disables", async () => {
    const backend = backendOn(fleet, () => dueMs + 3 * day, { isDisabled: () => true });
    const look = await createOperations(backend).lookAtPause("nightly");
    expect(look).toMatchObject({ skipped: { count: 0 }, unrecorded: { count: 0 }, next: undefined });
  });

  test("ends the pause that was looked at", async () => {
    const resumed = await at(dueMs + 3 * day).resume("nightly", { by: "grace", pausedAt: "2026-05-02T00:30:00Z" });

    expect(resumed).toMatchObject({ outcome: "resumed", paused: { by: "ada" } });
    expect(await at(dueMs + 3 * day).resume("nightly", { by: "grace" })).toEqual({
      job: "nightly",
      outcome: "not-paused",
    });
  });

  test("leaves another pause than the one that was looked at", async () => {
    const resumed = await at(dueMs + 3 * day).resume("nightly", { by: "grace", pausedAt: "2026-05-01T00:00:00Z" });

    expect(resumed).toMatchObject({ outcome: "conflict", paused: { by: "ada" } });
  });
});

describe("unlock", () => {
  test("takes the lock from the owner that was shown, and from no other (OP-01)", async () => {
    await fleet.start(dueMs, scheduled);
    const { lock } = await at(dueMs + 1_000).describe("nightly");
    expect(lock).toMatchObject({
      runId: scheduled.runId,
      since: "2026-05-02T00:30:00Z",
      expiresAt: "2026-05-02T00:31:00Z",
    });

    const why = { by: "ada", reason: "it hangs" };
    expect(await at(dueMs + 2_000).unlock("nightly", { ...why, owner: "WRONG" })).toMatchObject({
      outcome: "conflict",
      lock: { owner: lock?.owner },
    });
    expect(await at(dueMs + 3_000).unlock("nightly", { ...why, owner: lock?.owner ?? "" })).toMatchObject({
      outcome: "unlocked",
      lock: { runId: scheduled.runId },
    });
    expect(await at(dueMs + 4_000).unlock("nightly", { ...why, owner: "any" })).toEqual({
      job: "nightly",
      outcome: "not-locked",
    });
    expect(await at(dueMs + 4_000).audit("nightly")).toMatchObject([
      { action: "unlock", by: "ada", reason: "it hangs" },
    ]);
  });
});

describe("cancel", () => {
  const why = { by: "ada", reason: "wrong month" };

  test("asks a run with a heartbeat to stop, once, and leaves an entry", async () => {
    await fleet.start(dueMs, { ...scheduled, heartbeatMs: 20_000 });

    expect(await at(dueMs + 1_000).cancel("nightly", why)).toEqual({
      job: "nightly",
      outcome: "asked",
      runId: scheduled.runId,
      heartbeatMs: 20_000,
    });
    expect(await at(dueMs + 2_000).cancel("nightly", { by: "grace", reason: "me too" })).toMatchObject({
      outcome: "asked-before",
      askedBy: "ada",
      askedReason: "wrong month",
    });
    expect(await at(dueMs + 2_000).audit("nightly")).toMatchObject([
      { action: "cancel", by: "ada", reason: "wrong month", detail: `run ${scheduled.runId}` },
    ]);
  });

  test("says of a run without a heartbeat that nothing reaches it, and when it ends", async () => {
    await fleet.start(dueMs, scheduled);

    expect(await at(dueMs + 1_000).cancel("nightly", why)).toMatchObject({
      outcome: "cannot-hear",
      endsAt: "2026-05-02T00:31:00Z",
    });
    expect(await at(dueMs + 1_000).audit("nightly")).toEqual([]);
  });

  test("of a job at rest is nothing to do", async () => {
    expect(await at(dueMs).cancel("nightly", why)).toEqual({ job: "nightly", outcome: "not-running" });
  });
});

describe("a run that waits for the lock", () => {
  const why = { by: "ada", reason: "not needed" };
  const waitingId = "2026-05-03T00:30:00.000Z#default";
  const waiting = { runId: waitingId, schedule: "default", scheduledTimeMs: dueMs + day, overlap: "queue" } as const;
  beforeEach(async () => {
    await fleet.start(dueMs, { ...scheduled, leaseExpiresAtMs: dueMs + 2 * day });
    await fleet.start(dueMs + day, waiting);
  });

  test("is shown with its place, since when, and behind whom", async () => {
    const place = { position: 1, since: "2026-05-03T00:30:00Z", behind: scheduled.runId };
    const operations = at(dueMs + day + 1_000);

    expect(await operations.run("nightly", waitingId)).toMatchObject({
      status: "WAITING",
      scheduledTime: "2026-05-03T00:30:00Z",
      waiting: place,
    });
    expect((await operations.describe("nightly")).waiting).toEqual([{ runId: waitingId, ...place }]);
    expect((await operations.list())[0]?.waiting).toEqual([{ runId: waitingId, ...place }]);
    expect(await operations.runs("nightly", { status: "waiting" })).toMatchObject([
      { runId: waitingId, status: "WAITING", waiting: place },
    ]);
    expect(await operations.runs("nightly", { status: "WAITING", since: "2026-05-04T00:00:00Z" })).toEqual([]);
    expect((await operations.runs("nightly")).map(({ runId }) => runId)).not.toContain(waitingId);
  });

  test("is followed through its waiting", async () => {
    const seen: string[] = [];
    const operations = createOperations(
      backendOn(fleet, () => dueMs + day, {
        sleep: () => operations.cancel("nightly", { ...why, runId: waitingId }).then(() => {}),
      }),
    );
    const ended = await operations.follow("nightly", waitingId, ({ status }) => seen.push(status));
    expect(seen).toEqual(["WAITING", "SKIPPED"]);
    expect(ended).toMatchObject({
      reason: "cancelled",
      error: { message: "ada took it out of the queue: not needed" },
    });
  });

  test("is taken out of the queue by its id, and an entry tells of it", async () => {
    const operations = at(dueMs + day + 1_000);
    expect(await operations.cancel("nightly", { ...why, runId: waitingId })).toEqual({
      job: "nightly",
      outcome: "withdrawn",
      runId: waitingId,
    });
    expect(await operations.cancel("nightly", { ...why, runId: waitingId })).toMatchObject({ outcome: "not-running" });
    expect(await operations.audit("nightly")).toMatchObject([
      { action: "cancel", by: "ada", reason: "not needed", detail: `run ${waitingId}, which waited` },
    ]);
  });
});

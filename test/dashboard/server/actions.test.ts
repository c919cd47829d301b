import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { saveDeadLetter } from "../../../lib/local/dead-letters.ts";
import { openDashboard } from "./dashboard.ts";

let dashboard: Awaited<ReturnType<typeof openDashboard>>;
const job = "/api/jobs/nightly";
const dayMs = 24 * 60 * 60_000;
/** Whenever this runs, two nights. */
const lastTwo = {
  from: new Date(Date.now() - 3 * dayMs).toISOString(),
  to: new Date(Date.now() - dayMs).toISOString(),
};
const answerOf = async (asked: Promise<Response>): Promise<[number, Record<string, unknown>]> => {
  const answer = await asked;
  return [answer.status, (await answer.json()) as Record<string, unknown>];
};

beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.close());

describe("a run now", () => {
  test("is asked for with its input, by whom this is unless another is named, and says its id (OP-09)", async () => {
    const [status, { runId }] = await answerOf(dashboard.post(`${job}/trigger`, { input: { day: 1 }, reason: "test" }));

    expect([status, runId]).toEqual([200, expect.stringMatching(/^\d{4}-.*Z#manual#/)]);
    const { request } = dashboard.payloads.at(-1)?.escapement ?? {};
    expect(request).toMatchObject({ by: await dashboard.operations.whoAmI(), reason: "test" });
    expect(dashboard.payloads.at(-1)?.input).toEqual({ day: 1 });

    await dashboard.operations.follow("nightly", String(runId));
    const [, second] = await answerOf(dashboard.post(`${job}/trigger`, { by: "grace" }));
    expect(dashboard.payloads.at(-1)?.escapement.request).toMatchObject({ by: "grace" });
    await dashboard.operations.follow("nightly", String(second["runId"]));
  });

  test("of a job that there is not names the nearest", async () => {
    expect(await answerOf(dashboard.post("/api/jobs/nigthly/trigger"))).toEqual([
      404,
      { error: { code: "UNKNOWN_JOB", message: expect.stringContaining('did you mean "nightly"?') } },
    ]);
  });

  test("with more than Lambda takes is refused, with how much it may be (SE-07)", async () => {
    // 900,000 characters of a quote are 1.8 MB of JSON.
    const answer = await answerOf(dashboard.post(`${job}/trigger`, { input: '"'.repeat(900_000) }));
    expect(answer).toEqual([413, { error: { code: "TOO_LARGE", message: "the body has more than 1000000 bytes" } }]);
  });
});

describe("a dead letter", () => {
  test("is discarded with its reason, which its job's audit keeps", async () => {
    saveDeadLetter(dashboard.stateDir, "letter-1", {
      version: "1.0",
      timestamp: "2026-05-02T00:40:00.000Z",
      destination: "dead",
      requestContext: {
        requestId: "letter-1",
        functionArn: "arn:aws:lambda:local:000000000000:function:shop-dev-nightly",
        condition: "RetriesExhausted",
        approximateInvokeCount: 3,
      },
      requestPayload: { escapement: { job: "nightly", schedule: "default", scheduledTime: "2026-05-02T00:30:00Z" } },
      responsePayload: { errorType: "TypeError", errorMessage: "no orders" },
    });
    const discard = { id: "letter-1", by: "grace", reason: "paid by hand" };

    expect(await answerOf(dashboard.post("/api/dead-letters/discard", discard))).toEqual([
      200,
      { id: "letter-1", job: "nightly" },
    ]);
    expect(await (await dashboard.get("/api/dead-letters")).json()).toEqual([]);
    const [entry] = (await (await dashboard.get(`${job}/audit`)).json()) as unknown[];
    expect(entry).toMatchObject({ action: "discard", by: "grace", reason: "paid by hand" });
  });

  test("is not discarded without a reason, nor where there is none of this id", async () => {
    expect(await answerOf(dashboard.post("/api/dead-letters/discard", { id: "x" }))).toMatchObject([400, {}]);
    expect(await answerOf(dashboard.post("/api/dead-letters/discard", { id: "x", reason: "gone" }))).toMatchObject([
      404,
      { error: { code: "UNKNOWN_LETTER" } },
    ]);
  });
});

describe("what a request must say", () => {
  test.each([
    ["pause", {}, /^reason: /],
    ["pause", { reason: 7 }, /^reason: .*string/],
    ["pause", { reason: " " }, /1 to 512 are allowed/],
    ["pause", { reason: "x", untl: "2027-01-01T00:00:00Z" }, /^untl: /],
    ["pause", { reason: "x", until: "tomorrow" }, /write ISO 8601/],
    ["cancel", {}, /^reason: /],
    ["unlock", { reason: "x" }, /^owner: /],
    ["backfill/plan", { from: "2026-05-01T00:00:00Z" }, /^to: /],
    ["backfill", { from: "2026-04-01T00:00:00Z", to: "2026-05-02T00:00:00Z" }, /begin there, or trigger/],
  ])("%s with %j is answered 400, with what is wrong", async (action, body, message) => {
    const [status, answer] = await answerOf(dashboard.post(`${job}/${action}`, body));
    expect([status, answer]).toEqual([
      400,
      { error: { code: expect.any(String), message: expect.stringMatching(message) } },
    ]);
  });

  test("is JSON, and says so", async () => {
    const send = async (type: string, body: string | Uint8Array<ArrayBuffer>) => {
      const headers = { Authorization: "Bearer the-token-of-this-run", "Content-Type": type };
      return answerOf(fetch(`${dashboard.url}${job}/trigger`, { method: "POST", headers, body }));
    };
    for (const type of ["text/plain", "application/json; charset=utf-16", "application/jsonp"])
      expect(await send(type, "{}")).toMatchObject([415, { error: { code: "NOT_JSON" } }]);
    const said = (message: RegExp) => [
      400,
      { error: { code: "INVALID_INPUT", message: expect.stringMatching(message) } },
    ];
    for (const type of ["application/json; charset=UTF-8", 'application/json;charset="utf-8"'])
      expect(await send(type, "{half")).toEqual(said(/^the body is no JSON: /));
    // "café" in Latin-1.
    const latin1 = Buffer.from('{"reason":"caf\xe9"}', "latin1");
    expect(await send("application/json", latin1)).toEqual(said(/^the body is no UTF-8: /));
    expect(await send("application/json", "")).toEqual(said(/^the body is empty: send a JSON object/));
    expect(await send("application/json", "{half")).toEqual(said(/^the body is no JSON: /));
    expect(await send("application/json", '{"input":{"a":1e999}}')).toEqual(said(/^the body has the number 1e999/));
  });
});

describe("pause and resume", () => {
  afterEach(() => dashboard.fleet.resume("ada"));

  test("a second pause is a conflict, and shows what stands", async () => {
    const paused = { by: "ada", reason: "source down" };
    expect(await answerOf(dashboard.post(`${job}/pause`, paused))).toMatchObject([200, { outcome: "paused", paused }]);
    expect(await answerOf(dashboard.post(`${job}/pause`, { by: "grace", reason: "too" }))).toMatchObject([
      409,
      { outcome: "already-paused", paused },
    ]);
    expect(await answerOf(dashboard.get(`${job}/pause`))).toMatchObject([200, { paused, next: expect.any(String) }]);

    const stale = { pausedAt: "2026-05-01T00:00:00Z" };
    expect(await answerOf(dashboard.post(`${job}/resume`, stale))).toMatchObject([
      409,
      { outcome: "conflict", paused },
    ]);
    expect(await answerOf(dashboard.post(`${job}/resume`))).toMatchObject([200, { outcome: "resumed" }]);
    expect(await answerOf(dashboard.post(`${job}/resume`))).toMatchObject([200, { outcome: "not-paused" }]);
  });

  test("a backfill of a paused job is a conflict, with what to do (OP-08)", async () => {
    await dashboard.fleet.pause("ada");
    expect(await answerOf(dashboard.post(`${job}/backfill`, lastTwo))).toMatchObject([
      409,
      { error: { code: "PAUSED", message: expect.stringContaining("resume it first") } },
    ]);
  });
});

test("cancel and unlock act on who holds the lock, and say what stands where it is another", async () => {
  const nowMs = Date.now();
  const runId = `${new Date(nowMs).toISOString()}#manual#held`;
  await dashboard.fleet.start(nowMs, { runId, leaseExpiresAtMs: nowMs + 600_000 });

  // Its job has no heartbeat.
  expect(await answerOf(dashboard.post(`${job}/cancel`, { reason: "too long" }))).toMatchObject([
    409,
    { outcome: "cannot-hear", runId },
  ]);
  const { lock } = await dashboard.operations.describe("nightly");
  const unlock = (owner: string) => answerOf(dashboard.post(`${job}/unlock`, { owner, reason: "it hangs" }));
  expect(await unlock("another")).toMatchObject([409, { outcome: "conflict", lock: { runId } }]);
  expect(await unlock(lock?.owner ?? "")).toMatchObject([200, { outcome: "unlocked", lock: { runId } }]);
  expect(await unlock(lock?.owner ?? "")).toMatchObject([200, { outcome: "not-locked" }]);
});

describe("a backfill", () => {
  // So that it waits for no occurrence that is near at this hour.
  beforeEach(() => dashboard.fleet.pause("ada"));
  afterEach(() => dashboard.fleet.resume("ada"));
  const asked = { ...lastTwo, only: "missing", evenIfPaused: true };

  test("is planned, goes on by itself under the plan's id, and can be asked about", async () => {
    const [, plan] = await answerOf(dashboard.post(`${job}/backfill/plan`, asked));
    expect(plan["runs"]).toHaveLength(2);

    const request = { ...asked, id: plan["id"], by: "ada" };
    const [status, started] = await answerOf(dashboard.post(`${job}/backfill`, request));
    expect([status, started]).toMatchObject([202, { job: "nightly", id: plan["id"], by: "ada", total: 2 }]);
    expect(await ended(plan["id"])).toMatchObject({ outcome: "done", total: 2, succeeded: 2, failed: 0 });
    expect(await answerOf(dashboard.get("/api/backfills"))).toMatchObject([200, [{ id: plan["id"] }]]);
  });

  test("runs no more than the plan that was agreed to", async () => {
    const again = { ...asked, only: "all" };
    const [, plan] = await answerOf(dashboard.post(`${job}/backfill/plan`, again));
    const [{ runId }] = plan["runs"] as [{ runId: string }];

    const [, { id, total }] = await answerOf(dashboard.post(`${job}/backfill`, { ...again, runs: [runId] }));
    expect(total).toBe(1);
    expect(await ended(id)).toMatchObject({ outcome: "done", total: 1, succeeded: 1 });
  });

  test("is one at a time for a job, and stops when it is told to", async () => {
    const nowMs = Date.now();
    const runId = `${new Date(nowMs).toISOString()}#manual#holds`;
    await dashboard.fleet.start(nowMs, { runId, leaseExpiresAtMs: nowMs + 600_000 });
    const again = { ...asked, only: "all" };
    const [, { id }] = await answerOf(dashboard.post(`${job}/backfill`, again));

    expect(await answerOf(dashboard.post(`${job}/backfill`, again))).toMatchObject([
      409,
      { error: { code: "BACKFILL_AT_WORK", message: expect.stringContaining(String(id)) } },
    ]);
    // It waits for the lock, and no longer.
    expect((await dashboard.post(`/api/backfills/${id}/stop`)).status).toBe(200);
    expect(await ended(id)).toMatchObject({ outcome: "cancelled", succeeded: 0 });
    await dashboard.fleet.unlock("ada");
  });

  test("that there is not is answered 404", async () => {
    expect(await answerOf(dashboard.post("/api/backfills/nope/stop"))).toMatchObject([
      404,
      { error: { code: "UNKNOWN_BACKFILL" } },
    ]);
  });
});

async function ended(id: unknown) {
  for (;;) {
    const [, view] = await answerOf(dashboard.get(`/api/backfills/${id}`));
    if (view["outcome"] !== undefined) return view;
  }
}

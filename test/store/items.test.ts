import { describe, expect } from "vitest";
import type { RunRecord } from "../../lib/run/index.ts";
import { decodeRecord, decodeState, encodeRecord } from "../../lib/store/codec.ts";
import { Expressions } from "../../lib/store/expressions.ts";
import { fleetPartition, jobPartition } from "../../lib/store/keys.ts";
import { delivery, JOB, SECOND, T0, test } from "./scene.ts";

const RUN = "2026-03-02T02:00:00.000Z#default";

const record: RunRecord = {
  job: JOB,
  runId: RUN,
  schedule: "default",
  scheduledTimeMs: T0,
  status: "FAILED",
  fence: 7,
  attempt: 1,
  attempts: [{ attempt: 1, fence: 7, status: "FAILED", startedMs: T0, endedMs: T0 + SECOND, requestId: "r1" }],
  startedMs: T0,
  endedMs: T0 + SECOND,
  trigger: { kind: "schedule" },
  error: { name: "Error", message: "503" },
  requestId: "r1",
  expiresAtMs: T0 + 90 * 86_400 * SECOND,
};

describe("a run's item", () => {
  test("expires by whole seconds in ten digits, 90 days after its start (LK-02)", async ({ scene }) => {
    await scene.finish(await scene.hold(delivery()));
    expect(await scene.record(RUN)).toMatchObject({ ttl: 1_780_192_800 });
  });

  test("reads as it was written", () => {
    expect(decodeRecord(encodeRecord("shop-dev", record))).toEqual(record);
  });

  test("that would end before it starts is never written", () => {
    const backwards = () => encodeRecord("shop-dev", { ...record, endedMs: T0 - 1 });
    expect(backwards).toThrow("a run ends before it starts");
  });

  test("of a newer format is refused by name", () => {
    const item = { ...encodeRecord("shop-dev", record), v: 2 };
    expect(() => decodeRecord(item)).toThrow(
      expect.objectContaining({ code: "STORE_ITEM_NEWER", message: expect.stringContaining("format version 2") }),
    );
  });

  test("that is broken is refused with its key and the field", () => {
    const item = { ...encodeRecord("shop-dev", record), status: "DONE" };
    expect(() => decodeRecord(item)).toThrow(
      expect.objectContaining({
        code: "STORE_ITEM_INVALID",
        message: expect.stringMatching(/shop-dev#job#nightly-report \/ run#2026.*status/),
      }),
    );
  });

  test("bounds an error's text by bytes", async ({ scene }) => {
    const message = "é".repeat(3_000);
    await scene.finish(await scene.hold(delivery()), { status: "FAILED", error: { name: "Error", message } });
    const { error } = (await scene.record(RUN)) as { error: { message: string } };
    expect(new TextEncoder().encode(error.message).length).toBeLessThanOrEqual(2_000);
    expect(error.message).toMatch(/é…$/);
  });
});

describe("a state's item", () => {
  test("never expires: the fence must not reset", async ({ scene }) => {
    await scene.hold(delivery());
    expect(await scene.state()).not.toHaveProperty("ttl");
  });

  test("does not name shared locks where there are none, as in an earlier release, and is read", async ({ scene }) => {
    await scene.hold(delivery());
    const state = await scene.state();
    expect(state?.["lease"]).not.toHaveProperty("locks");
    expect(decodeState(state ?? {}).lease?.runId).toBe(RUN);
  });

  test("that holds a lease without a fence is refused", async ({ scene }) => {
    await scene.hold(delivery());
    const { fence: _fence, ...state } = (await scene.state()) ?? {};
    expect(() => decodeState(state)).toThrow("a lease has a fence");
  });

  test("starts its fence at the epoch's seconds, so that deleting it never makes the fence go back", async ({
    scene,
  }) => {
    // T0 is 1,772,416,800 seconds after the epoch.
    expect(await scene.hold(delivery())).toMatchObject({ fencingToken: 1_772_416_801 });
  });
});

test("every name in an expression is aliased, reserved word or not (LK-17)", () => {
  const text = new Expressions();
  const condition = text.condition({
    allOf: [{ path: "status", is: "=", value: "RUNNING" }, { absent: "lease.owner" }, { path: "ttl", oneOf: [1, 2] }],
  });
  expect(condition).toBe("(#status = :v0 AND attribute_not_exists(#lease.#owner) AND #ttl IN (:v1, :v2))");
  expect(text.names).toEqual({ "#status": "status", "#lease": "lease", "#owner": "owner", "#ttl": "ttl" });
});

test("names from outside cannot reach another partition", () => {
  expect(jobPartition("shop", "a#job#b")).toBe("shop#job#a%23job%23b");
  expect(fleetPartition("shop#job")).toBe("shop%23job#fleet");
});

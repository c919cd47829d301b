import { describe, expect } from "vitest";
import { begin, finish } from "../../lib/run/index.ts";
import { delivery, MINUTE, manual, redelivery, SECOND, T0, TIMEOUT, test } from "./scene.ts";

const FIRST = "2026-03-02T02:00:00.000Z#default";
const SECOND_RUN = "2026-03-02T02:01:00.000Z#default";

// Interleavings that broke earlier versions of the protocol, each as it was found.
describe("it stays closed that", () => {
  test("a takeover that does not read its own record runs a succeeded occurrence again", async ({ scene }) => {
    await scene.finish(await scene.hold(delivery()));
    await scene.hold(delivery({ at: T0 + MINUTE }));
    scene.nowMs = T0 + MINUTE + TIMEOUT + 6 * SECOND;
    expect(await scene.begin(delivery({ receivedMs: scene.nowMs }))).toMatchObject({
      kind: "duplicate",
      status: "SUCCEEDED",
    });
  });

  test("a killed run's put, still under way, lands on its own LOST", async ({ scene }) => {
    const first = delivery();
    const killed = scene.walk(finish(await scene.hold(first), { status: "SUCCEEDED", endedMs: T0 + 89 * SECOND }));
    scene.nowMs = T0 + TIMEOUT + 6 * SECOND;
    const retry = scene.walk(begin(redelivery(first, scene.nowMs)));
    await retry.past("put-as-seen");
    await killed.past("put-record");
    expect(await scene.record(FIRST)).toMatchObject({ status: "LOST" });
    const begun = await retry.result();
    if (begun.kind !== "held") throw new Error(begun.kind);
    await scene.finish(begun.hold);
    expect(await scene.record(FIRST)).toMatchObject({ status: "SUCCEEDED", attempt: 2 });
  });

  test("a delayed taker writes LOST over a later attempt's error", async ({ scene }) => {
    const first = delivery();
    await scene.hold(first);
    scene.nowMs = T0 + TIMEOUT + 6 * SECOND;
    const delayed = scene.walk(begin(delivery({ at: T0 + MINUTE, receivedMs: scene.nowMs })));
    await delayed.past("read-record");
    const error = { name: "Error", message: "503" };
    await scene.finish(await scene.hold(redelivery(first, scene.nowMs)), { status: "FAILED", error });
    await delayed.past("put-as-seen");
    expect(await scene.record(FIRST)).toMatchObject({ status: "FAILED", attempt: 2, error });
  });

  test("between the two halves of a skip a duplicate starts", async ({ scene }) => {
    const holder = await scene.hold(delivery());
    const skipping = scene.walk(begin(delivery({ at: T0 + MINUTE })));
    await skipping.past("raise-high-water");
    await scene.finish(holder);
    const duplicate = await scene.begin(delivery({ at: T0 + MINUTE }));
    // No record yet, so the duplicate may run; it claims the run, and the skip then is none.
    expect(duplicate).toMatchObject({ kind: "held" });
    expect(await skipping.result()).toMatchObject({ kind: "come-again" });
    expect(await scene.record(SECOND_RUN)).toMatchObject({ status: "RUNNING" });
  });

  test("a duplicate that holds the lock runs an occurrence whose skip was recorded first", async ({ scene }) => {
    const holder = await scene.hold(delivery());
    const skipping = scene.walk(begin(delivery({ at: T0 + MINUTE })));
    await skipping.past("raise-high-water");
    await scene.finish(holder);
    const duplicate = scene.walk(begin(delivery({ at: T0 + MINUTE })));
    await duplicate.past("acquire-as-seen");
    expect(await skipping.result()).toMatchObject({ kind: "skipped" });
    expect(await duplicate.result()).toMatchObject({ kind: "duplicate", status: "SKIPPED" });
    expect(await scene.state()).not.toHaveProperty("lease");
  });

  test("a skip goes on though the holder it saw has left and a duplicate has run", async ({ scene }) => {
    const holder = await scene.hold(delivery());
    const skipping = scene.walk(begin(delivery({ at: T0 + MINUTE })));
    await skipping.past("acquire-newest");
    await scene.finish(holder);
    await scene.finish(await scene.hold(delivery({ at: T0 + MINUTE })));
    expect(await skipping.result()).toMatchObject({ kind: "duplicate", status: "SUCCEEDED" });
  });

  test("on a paused job a duplicate of a running run is recorded as skipped", async ({ scene }) => {
    const hold = await scene.hold(delivery());
    await scene.pause();
    expect(await scene.begin(delivery())).toMatchObject({ kind: "duplicate", status: "RUNNING" });
    expect(await scene.finish(hold)).toMatchObject({ recorded: true });
  });

  test("an occurrence skipped on a paused job runs after the job is resumed", async ({ scene }) => {
    await scene.pause();
    const skipping = scene.walk(begin(delivery()));
    await skipping.past("raise-high-water");
    await scene.resume();
    const duplicate = scene.walk(begin(delivery()));
    await duplicate.past("acquire-as-seen");
    await skipping.result();
    expect(await duplicate.result()).toMatchObject({ kind: "duplicate", status: "SKIPPED" });
  });

  test("a pause that was lifted and set again hides that a duplicate has started", async ({ scene }) => {
    await scene.pause();
    const skipping = scene.walk(begin(delivery()));
    await skipping.past("acquire-newest");
    await scene.resume();
    await scene.hold(delivery());
    await scene.pause();
    expect(await skipping.result()).toMatchObject({ kind: "duplicate", status: "RUNNING" });
    expect(await scene.record(FIRST)).toBeUndefined();
  });

  test("the state's last run, which failed, answers for one whose next attempt succeeded", async ({ scene }) => {
    const first = delivery();
    await scene.finish(await scene.hold(first), { status: "FAILED" });
    const second = await scene.hold(redelivery(first, T0 + MINUTE));
    // It dies after its record, so that the state still says FAILED.
    await scene.walk(finish(second, { status: "SUCCEEDED", endedMs: T0 + MINUTE })).past("put-record");
    scene.nowMs = T0 + MINUTE + TIMEOUT + 6 * SECOND;
    expect(await scene.begin(redelivery(first, scene.nowMs))).toMatchObject({ kind: "duplicate", status: "SUCCEEDED" });
  });

  test("a pause between the look and the write is ignored", async ({ scene }) => {
    await scene.finish(await scene.hold(delivery({ at: T0 + MINUTE })));
    const overtaken = scene.walk(begin(delivery()));
    await overtaken.past("read-record");
    await scene.pause();
    expect(await overtaken.result()).toMatchObject({ kind: "skipped", reason: "paused" });
  });

  test("an older occurrence moves the mark back below one that was skipped meanwhile", async ({ scene }) => {
    await scene.hold(delivery());
    scene.nowMs = T0 + TIMEOUT + 6 * SECOND;
    const taker = scene.walk(begin(delivery({ at: T0 + MINUTE, receivedMs: scene.nowMs })));
    await taker.past("put-as-seen");
    const late = { at: T0 + 2 * MINUTE, lateAfterMs: T0 + MINUTE };
    expect(await scene.begin(delivery(late))).toMatchObject({ kind: "skipped", reason: "late" });
    await taker.result();
    expect(await scene.state()).toMatchObject({ highWater: "2026-03-02T02:02:00.000Z#default" });
  });

  test("a lock that was taken and given back since the look is acquired", async ({ scene }) => {
    const first = delivery();
    await scene.finish(await scene.hold(first), { status: "FAILED" });
    const looking = scene.walk(begin(delivery()));
    await looking.past("read-record");
    await scene.finish(await scene.hold(redelivery(first, T0 + MINUTE)));
    expect(await looking.result()).toMatchObject({ kind: "duplicate", status: "SUCCEEDED" });
  });

  test("a last attempt that has just started is taken for one that is used up", async ({ scene }) => {
    await scene.finish(await scene.hold(manual("request-0")));
    const looking = scene.walk(begin(manual("request-1", { maxAttempts: 1 })));
    await looking.past("read-state");
    const hold = await scene.hold(manual("request-1", { maxAttempts: 1 }));
    expect(await looking.result()).toMatchObject({ kind: "come-again" });
    expect(await scene.finish(hold)).toMatchObject({ recorded: true });
  });
});

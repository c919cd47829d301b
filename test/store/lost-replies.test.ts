import { describe, expect } from "vitest";
import { begin, finish, note } from "../../lib/run/index.ts";
import { delivery, JOB, MINUTE, manual, T0, test } from "./scene.ts";

const RUN = "2026-03-02T02:00:00.000Z#default";

// The request is applied, the connection breaks, and the SDK sends it again: the condition now fails against my own write.
describe("a lost reply", () => {
  test("to the acquire is not taken for somebody else's lock", async ({ scene }) => {
    scene.table.loseNextReply();
    const hold = await scene.hold(delivery());
    expect(scene.table.takeRequests()).toEqual(["UpdateItem", "UpdateItem"]);
    expect(await scene.finish(hold)).toMatchObject({ recorded: true });
  });

  test("to the acquire after a look does not leave the claim out", async ({ scene }) => {
    const walk = scene.walk(begin(manual("request-1")));
    await walk.past("read-record");
    scene.table.loseNextReply();
    await walk.past("acquire-as-seen");
    expect(await walk.result()).toMatchObject({ kind: "held", hold: { attempt: 1 } });
    expect(await scene.record("2026-03-02T02:00:00.000Z#manual#request-1")).toMatchObject({ status: "RUNNING" });
  });

  test("to the acquire leaves it its own token, also when a run that needs no lock took the next one", async ({
    scene,
  }) => {
    const locked = delivery();
    await scene.walk(begin(locked)).step();
    const beside = await scene.hold(delivery({ at: T0 + MINUTE, overlap: "allow" }));
    const { fencingToken } = await scene.hold(locked);
    expect(beside.fencingToken).toBe(fencingToken + 1);
  });

  test("to the claim is not taken for somebody else's record", async ({ scene }) => {
    const walk = scene.walk(begin(manual("request-1")));
    await walk.past("acquire-as-seen");
    scene.table.loseNextReply();
    expect(await walk.result()).toMatchObject({ kind: "held" });
  });

  test("to the finish's record counts as recorded, and the lock is given back", async ({ scene }) => {
    const hold = await scene.hold(delivery());
    scene.table.loseNextReply();
    expect(await scene.finish(hold)).toMatchObject({ recorded: true, record: { status: "SUCCEEDED" } });
    expect(await scene.state()).toMatchObject({ last: { runId: RUN, status: "SUCCEEDED" } });
    expect(await scene.state()).not.toHaveProperty("lease");
  });

  test("to an operator's note is no error", async ({ scene }) => {
    const ada = { by: "ada", id: "id-1", retentionMs: MINUTE };
    const walk = scene.walk(note(JOB, "backfill", ada, T0, "run x"));
    scene.table.loseNextReply();
    expect(await walk.result()).toBeUndefined();
    expect(scene.table.takeRequests()).toEqual(["PutItem", "PutItem"]);
  });

  test("to the release is no error", async ({ scene }) => {
    const walk = scene.walk(finish(await scene.hold(delivery()), { status: "SUCCEEDED", endedMs: T0 }));
    await walk.past("put-record");
    scene.table.loseNextReply();
    expect(await walk.result()).toMatchObject({ recorded: true });
    expect(await scene.state()).not.toHaveProperty("lease");
  });

  test.for(["acquire-newest", "raise-high-water"])(
    "to what follows %s in a skip leaves it skipped once",
    async (kind, { scene }) => {
      await scene.hold(delivery());
      const walk = scene.walk(begin(delivery({ at: T0 + MINUTE })));
      await walk.past(kind);
      scene.table.loseNextReply();
      expect(await walk.result()).toMatchObject({ kind: "skipped", reason: "overlap" });
    },
  );
});

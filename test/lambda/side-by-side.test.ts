import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { groupHandler } from "../../lib/lambda/group.ts";
import type { Run } from "../../lib/lambda/run.ts";
import { scheduledIn } from "../../lib/lambda/scheduled.ts";
import { rate } from "../../lib/schedule/index.ts";
import { lambdaContext, occurrence, openTable, type TestTable, testRuntime } from "./harness.ts";

let table: TestTable;
beforeAll(async () => {
  table = await openTable();
});
afterAll(() => table.close());

const REQUESTS = ["req-0", "req-1", "req-2", "req-3"];

describe("MW-12: several invocations at once in one module", () => {
  test("keep their ids, inputs, tokens, steps, logs and ends apart", async () => {
    const runtime = testRuntime(table, "2026-05-01T00:00:00Z");
    const seen: Run[] = [];
    const lambda = scheduledIn(
      () => runtime,
      { schedule: rate("1 hour"), overlap: "allow" },
      async (run) => {
        seen.push(run);
        // All of them are at work before the first one goes on.
        while (seen.length < REQUESTS.length) await setImmediate();
        const { id } = run.input as { id: string };
        const remembered = await run.step("the same name in all", async () => id);
        run.log.info("at work", { remembered });
        if (id === "req-3") throw new Error(`failed for ${id}`);
        return { remembered, id: run.id, token: run.fencingToken };
      },
    );
    const answers = await Promise.allSettled(REQUESTS.map((id) => lambda({ id }, lambdaContext(runtime.clock, id))));

    const tokenOf = (id: string) => seen.find((run) => run.id === id)?.fencingToken;
    const answerOf = (id: string) => ({ remembered: id, id: `manual#${id}`, token: tokenOf(`manual#${id}`) });
    expect(answers).toEqual([
      { status: "fulfilled", value: answerOf("req-0") },
      { status: "fulfilled", value: answerOf("req-1") },
      { status: "fulfilled", value: answerOf("req-2") },
      { status: "rejected", reason: new Error("failed for req-3") },
    ]);
    expect(new Set(seen.map((run) => run.fencingToken)).size).toBe(4);
    expect(new Set(seen.map((run) => run.signal)).size).toBe(4);
    for (const id of REQUESTS) {
      const isFailed = id === "req-3";
      expect(await runtime.queries.readRun(runtime.job, `manual#${id}`)).toMatchObject({
        status: isFailed ? "FAILED" : "SUCCEEDED",
        fence: tokenOf(`manual#${id}`),
        requestId: id,
        ...(isFailed && { steps: [{ name: "the same name in all", json: '"req-3"' }] }),
      });
    }
    const atWork = runtime.lines.filter(({ message }) => message === "at work");
    expect(atWork).toHaveLength(4);
    for (const { keys, extra } of atWork) {
      expect(extra).toEqual({ remembered: keys.requestId });
      expect(keys.runId).toBe(`manual#${keys.requestId}`);
    }
  });

  test("hold one lock between them: one runs, and the others are skipped for it", async () => {
    const runtime = testRuntime(table, "2026-05-01T00:00:00Z");
    const started: string[] = [];
    const others = REQUESTS.length - 1;
    let answered = 0;
    const lambda = scheduledIn(
      () => runtime,
      { schedule: rate("1 hour") },
      async (run) => {
        started.push(run.id);
        while (answered < others) await setImmediate();
      },
    );
    const answers = await Promise.all(
      REQUESTS.map(async (id) => {
        const answer = await lambda({ id }, lambdaContext(runtime.clock, id));
        answered += 1;
        return answer;
      }),
    );
    expect(started).toHaveLength(1);
    const skippedFor = (id: string) => ({
      outcome: "skipped",
      runId: `manual#${id}`,
      reason: "overlap",
      heldBy: started[0],
    });
    expect(answers).toEqual(REQUESTS.map((id) => (started.includes(`manual#${id}`) ? undefined : skippedFor(id))));
  });

  test("keep the names of a group's jobs apart, also when the first events of both come at once", async () => {
    const jobOf = (name: string) =>
      [
        name,
        scheduledIn(
          () => testRuntime(table, "2026-05-01T00:00:00Z", process.env["ESCAPEMENT_JOB"]),
          { schedule: rate("1 hour") },
          async (run) => [run.job, run.id],
        ),
      ] as const;
    const group = groupHandler(Object.fromEntries(["clean", "report"].map(jobOf)));
    const events = ["clean", "report"].map((job) => occurrence("2026-05-01T00:00:00Z", "exec-1", job));
    const answers = await Promise.all(events.map((event) => group(event, {} as never)));
    expect(answers).toEqual([
      ["clean", "2026-05-01T00:00:00.000Z#default"],
      ["report", "2026-05-01T00:00:00.000Z#default"],
    ]);
  });

  test("one after another, with a failure first: nothing of it is left for the next", async () => {
    const runtime = testRuntime(table, "2026-05-01T00:00:00Z");
    const seen: unknown[] = [];
    const lambda = scheduledIn(
      () => runtime,
      { schedule: rate("1 hour") },
      async (run) => {
        seen.push([run.id, run.attempt, run.previousError]);
        if (run.id === "manual#req-0") throw new Error("503");
        return run.step("a step", () => run.id);
      },
    );
    await expect(lambda({}, lambdaContext(runtime.clock, "req-0"))).rejects.toThrow("503");
    expect(await lambda({}, lambdaContext(runtime.clock, "req-1"))).toBe("manual#req-1");
    expect(seen).toEqual([
      ["manual#req-0", 1, undefined],
      ["manual#req-1", 1, undefined],
    ]);
  });
});

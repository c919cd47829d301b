import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { JobOptions } from "../../lib/lambda/options.ts";
import type { Run } from "../../lib/lambda/run.ts";
import { scheduledIn } from "../../lib/lambda/scheduled.ts";
import type { Command } from "../../lib/run/index.ts";
import { rate } from "../../lib/schedule/index.ts";
import { createFencedStore, createRunStore, StoreError } from "../../lib/store/index.ts";
import { type FaultyClient, makeFaulty } from "./faulty-client.ts";
import { lambdaContext, occurrence, openTable, type TestRuntime, type TestTable, testRuntime } from "./harness.ts";

const T0 = "2026-05-01T00:00:00Z";
const RUN_ID = "2026-05-01T00:00:00.000Z#default";

let table: TestTable;
let runtime: TestRuntime;
let faults: FaultyClient;

beforeEach(async () => {
  table = await openTable();
  onTestFinished(() => table.close());
  runtime = testRuntime(table, T0);
  faults = makeFaulty(table.client);
});

let deliveries = 0;

/** One delivery of the occurrence, of its own invocation. */
function deliver(handler: (run: Run) => Promise<unknown>, options: Partial<JobOptions> = {}, to = runtime) {
  const lambda = scheduledIn(() => to, { schedule: rate("1 hour"), ...options }, handler);
  return lambda(occurrence(T0, "exec-1"), lambdaContext(to.clock, `req-${++deliveries}`));
}

const record = () => runtime.queries.readRun(runtime.job, RUN_ID);
const puts = () => faults.requests.filter((name) => name === "PutItem");
/** Another sandbox of the job, two minutes later: a lease of before has run out. */
function successor(): TestRuntime {
  const { fleet } = runtime;
  const later = testRuntime(table, "2026-05-01T00:02:00Z");
  const options = { client: table.client, tableName: table.tableName, fleet, clock: later.clock.nowMs };
  return { ...later, fleet, store: createRunStore(options), fencedStore: createFencedStore(options) };
}

describe("a finished step", () => {
  test("is not done again by the next attempt, which gets its result (DU-12)", async () => {
    let charges = 0;
    const handler = async (run: Run) => {
      const payment = await run.step("charge", async () => ({ id: `payment-${++charges}` }));
      if (run.attempt === 1) throw new Error("the mail server is down");
      return payment;
    };
    await expect(deliver(handler)).rejects.toThrow("the mail server is down");
    expect(await record()).toMatchObject({ status: "FAILED", steps: [{ name: "charge", json: '{"id":"payment-1"}' }] });
    expect(await deliver(handler)).toEqual({ id: "payment-1" });
    expect(charges).toBe(1);
  });

  test.for([undefined, null, "", 0, false, [], "é".repeat(20_000)])("may have the result %o", async (result) => {
    let calls = 0;
    const handler = async (run: Run) => {
      const got = await run.step("count", () => {
        calls += 1;
        return result;
      });
      expect(got).toEqual(result);
      if (run.attempt === 1) throw new Error("once more");
    };
    await expect(deliver(handler)).rejects.toThrow("once more");
    await deliver(handler);
    expect(calls).toBe(1);
  });

  test("gives the first attempt what the next ones get: a Date as text", async () => {
    const date = new Date("2026-05-01T00:00:00Z");
    await deliver(async (run) => {
      expect(await run.step("when", () => date)).toBe("2026-05-01T00:00:00.000Z");
    });
  });

  test("costs one write; the record of a success keeps none", async () => {
    await deliver(async (run) => {
      await run.step("one", () => 1);
      await run.step("two", () => 2);
    });
    expect(faults.requests.slice(0, 5)).toEqual(["UpdateItem", "PutItem", "PutItem", "PutItem", "UpdateItem"]);
    expect((await record())?.steps).toBeUndefined();
  });

  test("is on the record while the handler is at work", async () => {
    await deliver(async (run) => {
      await run.step("one", () => 1);
      expect(await record()).toMatchObject({ status: "RUNNING", attempt: 1, steps: [{ name: "one", json: "1" }] });
    });
  });

  test.for([{ heartbeat: "10 seconds" }, { overlap: "allow" }, {}] as const)(
    "is kept after a crash, with %o",
    async (options) => {
      const crash = deliver(async (run) => {
        await run.step("one", () => 1);
        faults.strike("PutItem", "crash-before");
        await run.step("two", () => 2);
      }, options);
      await Promise.race([crash.catch(() => {}), faults.whenCrashed()]);
      faults.revive();
      const done: string[] = [];
      await deliver(
        async (run) => {
          expect(run.attempt).toBe(2);
          for (const name of ["one", "two"]) await run.step(name, () => void done.push(name));
        },
        options,
        successor(),
      );
      expect(done).toEqual(["two"]);
      expect(await record()).toMatchObject({ status: "SUCCEEDED", attempt: 2 });
    },
  );

  test("is kept by the next occurrence, which records the crashed run as LOST", async () => {
    const crash = deliver(async (run) => {
      await run.step("one", () => 1);
      faults.strike("PutItem", "crash-before");
      await run.step("two", () => 2);
    });
    await Promise.race([crash.catch(() => {}), faults.whenCrashed()]);
    faults.revive();
    const later = successor();
    const next = scheduledIn(
      () => later,
      { schedule: rate("1 hour") },
      async () => {},
    );
    await next(occurrence("2026-05-01T00:01:00Z", "exec-2"), lambdaContext(later.clock, "req-next"));
    expect(await record()).toMatchObject({ status: "LOST", steps: [{ name: "one", json: "1" }] });
  });

  test("is kept by a time-out, also where its own write has not ended", async () => {
    const late = deliver(async (run) => {
      await run.step("one", () => 1);
      await run.step("two", () => runtime.clock.advance(59_000)).catch(() => {});
    });
    await expect(late).rejects.toMatchObject({ code: "RUN_TIMED_OUT" });
    expect(await record()).toMatchObject({ status: "TIMED_OUT", steps: [{ name: "one" }, { name: "two" }] });
  });
});

describe("a run of two steps, whose process dies", () => {
  // The lock, a write for each step, the finish, the release.
  const deaths = [1, 2, 3, 4, 5].flatMap((number) =>
    (["crash-before", "crash-after", "lose-reply"] as const).map((fault) => [fault, number] as const),
  );

  test.for(deaths)("%s at request %i, succeeds and does again only what was not recorded", async ([fault, number]) => {
    const done: string[] = [];
    const handler = async (run: Run) => {
      const charged = await run.step("charge", async () => `charged ${done.push("charge")}`);
      await run.step("mail", async () => done.push(`mail: ${charged}`));
    };
    faults.strikeNumber(number, fault);
    await Promise.race([deliver(handler).catch(() => {}), faults.whenCrashed()]);
    faults.revive();
    await deliver(handler, {}, successor());

    // At request 2 the first step's result is recorded, at request 3 the second's; it is there when the request was done.
    const chargedTwice = fault === "crash-before" && number === 2;
    const mailedTwice = fault === "crash-before" && number === 3;
    expect(done.filter((step) => step === "charge")).toHaveLength(chargedTwice ? 2 : 1);
    expect(done.filter((step) => step.startsWith("mail"))).toEqual(
      Array(mailedTwice ? 2 : 1).fill(chargedTwice ? "mail: charged 2" : "mail: charged 1"),
    );
    expect(await record()).toMatchObject({ status: "SUCCEEDED" });
  });
});

describe("steps beside each other", () => {
  test("write one after the other, and none is lost", async () => {
    const failing = deliver(async (run) => {
      await Promise.all(["a", "b", "c", "d"].map((name) => run.step(name, async () => name)));
      throw new Error("once more");
    });
    await expect(failing).rejects.toThrow("once more");
    const names = (await record())?.steps?.map(({ name }) => name);
    expect(names?.sort()).toEqual(["a", "b", "c", "d"]);
    // A write carries all that is done by then.
    expect(puts().length).toBeLessThanOrEqual(5);
  });

  test("are awaited when the handler fails before they are done", async () => {
    const failing = deliver(async (run) => {
      const slow = async () => {
        for (let turn = 0; turn < 20; turn++) await setImmediate();
        return "done";
      };
      await Promise.all([
        run.step("slow", slow),
        run.step("broken", async () => {
          throw new Error("broken");
        }),
      ]);
    });
    await expect(failing).rejects.toThrow("broken");
    expect(await record()).toMatchObject({ status: "FAILED", steps: [{ name: "slow", json: '"done"' }] });
  });
});

describe("a step that the handler does not await", () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  beforeEach(() => {
    unhandled.length = 0;
    process.on("unhandledRejection", note);
    onTestFinished(() => void process.off("unhandledRejection", note));
  });
  const declined = async () => {
    for (let turn = 0; turn < 20; turn++) await setImmediate();
    throw new Error("card declined");
  };

  test("and that fails after it fails the run, which is tried again", async () => {
    const first = deliver(async (run) => {
      void run.step("charge", declined);
      return "all good";
    });
    await expect(first).rejects.toThrow("card declined");
    expect(await record()).toMatchObject({ status: "FAILED", error: { message: "card declined" } });
    expect(await deliver(async (run) => run.attempt)).toBe(2);
    // The invocation's failure says it: the process does not have to end for it, too.
    expect(unhandled).toEqual([]);
  });

  test("and that fails while it is at work is for Node to report, as any promise that nobody handles", async () => {
    await deliver(async (run) => {
      void run.step("charge", async () => {
        throw new Error("card declined");
      });
      await expect.poll(() => unhandled, { interval: 1 }).toMatchObject([{ message: "card declined" }]);
    });
  });

  test("takes nothing from the error that the handler itself failed with", async () => {
    const failing = deliver(async (run) => {
      void run.step("charge", declined);
      throw new Error("out of stock");
    });
    await expect(failing).rejects.toThrow("out of stock");
    expect(await record()).toMatchObject({ status: "FAILED", error: { message: "out of stock" } });
    expect(unhandled).toEqual([]);
  });

  test("leaves the run SUCCEEDED when it ends well, or when the handler has caught its failure", async () => {
    await deliver(async (run) => {
      void run.step("mail", async () => setImmediate());
      await run.step("charge", declined).catch(() => {});
    });
    expect(await record()).toMatchObject({ status: "SUCCEEDED", attempt: 1 });
    expect(unhandled).toEqual([]);
  });
});

test("a step whose name has half of a surrogate pair is remembered under U+FFFD", async () => {
  let charges = 0;
  const handler = async (run: Run) => {
    await run.step("charge \ud800", () => ++charges);
    if (run.attempt === 1) throw new Error("once more");
  };
  await expect(deliver(handler)).rejects.toThrow("once more");
  expect(await record()).toMatchObject({ steps: [{ name: "charge \ufffd" }] });
  await deliver(handler);
  expect(charges).toBe(1);
});

describe("refused before its work is a step", () => {
  const work = () => {
    throw new Error("the work was done");
  };
  /** What `run.step` throws in a run of its own. */
  async function refusal(call: (run: Run) => Promise<unknown>): Promise<unknown> {
    let thrown: unknown;
    await deliver(async (run) => {
      thrown = await call(run).catch((error) => error);
    });
    return thrown;
  }

  test.for([
    ["", "1 to 64 characters"],
    ["x".repeat(65), "1 to 64 characters"],
    [7, "is 7. Allowed: text"],
  ] as const)("with the name %o", async ([name, message]) => {
    const expected = { name: "StepError", code: "STEP_INVALID", message: expect.stringContaining(message) };
    expect(await refusal((run) => run.step(name as string, work))).toMatchObject(expected);
  });

  test("without a function", async () => {
    const thrown = await refusal((run) => run.step("charge", undefined as unknown as () => void));
    expect(thrown).toMatchObject({
      code: "STEP_INVALID",
      message: expect.stringContaining('run.step("charge", async'),
    });
  });

  test("with the name of another one in the same attempt, also if that failed", async () => {
    const twice = async (run: Run) => {
      await run.step("charge", work).catch(() => {});
      await run.step("charge", work);
    };
    expect(await refusal(twice)).toMatchObject({ code: "STEP_INVALID", message: expect.stringContaining("twice") });
  });

  test("which is the 101st of its run", async () => {
    const many = async (run: Run) => {
      await Promise.all(Array.from({ length: 100 }, (_, number) => run.step(`step-${number}`, () => number)));
      await run.step("one more", work);
    };
    const expected = { code: "STEP_LIMIT", message: expect.stringMatching(/"one more".*100 steps/) };
    expect(await refusal(many)).toMatchObject(expected);
  });

  test("that begins after the handler has ended", async () => {
    let kept: Run | undefined;
    await deliver(async (run) => {
      kept = run;
    });
    await expect(kept?.step("late", work)).rejects.toMatchObject({ code: "STEP_INVALID" });
  });

  test("that begins after the signal aborted: it throws the signal's reason", async () => {
    let reason: unknown;
    const late = deliver(async (run) => {
      runtime.clock.advance(59_000);
      await once(run.signal, "abort");
      reason = await run.step("late", work).catch((error) => error);
    });
    await expect(late).rejects.toMatchObject({ code: "RUN_TIMED_OUT" });
    expect(reason).toMatchObject({ code: "RUN_TIMED_OUT" });
  });
});

describe("refused after its work is a result", () => {
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;

  test.for([
    ["a circle", circle],
    ["a BigInt", 1n],
    ["a function", () => {}],
  ] as const)("that is %s", async ([, result]) => {
    const failing = deliver((run) => run.step("charge", async () => result));
    const message = expect.stringMatching(/"charge" is no JSON.*work is done/);
    await expect(failing).rejects.toMatchObject({ code: "STEP_INVALID", message });
    expect((await record())?.steps).toBeUndefined();
  });

  test("that is too much with those before it, counted in bytes; what fits still does", async () => {
    const failing = deliver(async (run) => {
      // Two bytes for each é, two for the quotes: 40,002 and 25,536 bytes of JSON, 2 more than allowed.
      await run.step("first", () => "é".repeat(20_000));
      await expect(run.step("second", () => "x".repeat(25_534))).rejects.toMatchObject({
        code: "STEP_LIMIT",
        message: expect.stringMatching(
          /"second" has 25536 bytes.* 40002\. Allowed: 65536 bytes.*work is done.*elsewhere/,
        ),
      });
      await run.step("third", () => "x".repeat(25_532));
      throw new Error("once more");
    });
    await expect(failing).rejects.toThrow("once more");
    expect((await record())?.steps?.map(({ name }) => name)).toEqual(["first", "third"]);
  });
});

test("a step that throws is done again by the next attempt", async () => {
  let calls = 0;
  const handler = (run: Run) =>
    run.step("charge", async () => {
      calls += 1;
      if (calls === 1) throw new Error("card declined");
    });
  await expect(deliver(handler)).rejects.toThrow("card declined");
  await deliver(handler);
  expect(calls).toBe(2);
});

test("a step of a run that another delivery has taken over is refused, and tells the handler to stop", async () => {
  const overdue = deliver(async (run) => {
    await deliver(async () => {}, {}, successor());
    await expect(run.step("charge", () => 1)).rejects.toMatchObject({ name: "LeaseLostError", code: "LEASE_LOST" });
    expect(run.signal.reason).toMatchObject({ code: "LEASE_LOST" });
    await run.step("mail", () => 1);
  });
  await expect(overdue).rejects.toMatchObject({ code: "LEASE_LOST" });
  expect(await record()).toMatchObject({ status: "SUCCEEDED", attempt: 2 });
});

test("LK-06: a taken-over run's step is refused by its LOST record, whoever holds the lock now", async () => {
  const overdue = deliver(async (run) => {
    const later = successor();
    const next = scheduledIn(
      () => later,
      { schedule: rate("1 hour") },
      async () => {
        await expect(run.step("charge", () => 1)).rejects.toMatchObject({ code: "LEASE_LOST" });
      },
    );
    await next(occurrence("2026-05-01T00:01:00Z", "exec-2"), lambdaContext(later.clock, "req-next"));
  });
  // Its work is done, and the record says lost: the run has to come again.
  await expect(overdue).rejects.toMatchObject({ code: "COME_AGAIN" });
  expect(await record()).toMatchObject({ status: "LOST" });
  expect(runtime.lines.at(-1)?.message).toContain("ended SUCCEEDED, but the record is LOST: it was taken from it");
});

describe("with a commit", () => {
  test("before it a step is written, and the success stands", async () => {
    await deliver(async (run) => {
      await run.step("one", () => 1);
      await run.commit([]);
    });
    expect(await record()).toMatchObject({ status: "SUCCEEDED", attempt: 1 });
  });

  test("after it no step begins", async () => {
    let begun = false;
    const failing = deliver(async (run) => {
      await run.commit([]);
      await run.step("one", () => {
        begun = true;
      });
    });
    await expect(failing).rejects.toMatchObject({
      code: "STEP_INVALID",
      message: expect.stringContaining("committed"),
    });
    expect(begun).toBe(false);
    expect(await record()).toMatchObject({ status: "SUCCEEDED" });
  });

  test("a step that is at work meanwhile is refused, and undoes nothing", async () => {
    const failing = deliver((run) => run.step("one", () => run.commit([])));
    await expect(failing).rejects.toMatchObject({
      code: "STEP_INVALID",
      message: expect.stringContaining("committed"),
    });
    expect(await record()).toMatchObject({ status: "SUCCEEDED" });
  });
});

describe("while the table has a fault", () => {
  /** Commands of this kind meet it so often; a wait for another try is over at once. */
  function throttled(kind: Command["kind"], times: number): TestRuntime {
    let met = 0;
    const { clock, store } = runtime;
    return {
      ...runtime,
      clock: {
        ...clock,
        startTimer(delayMs, callback) {
          const cancel = clock.startTimer(delayMs, callback);
          if (met > 0 && delayMs <= 5_000) queueMicrotask(() => clock.advance(delayMs));
          return cancel;
        },
      },
      store: {
        async execute(command) {
          if (command.kind !== kind || met++ >= times) return store.execute(command);
          throw new StoreError("STORE_THROTTLED", "too many requests");
        },
      },
    };
  }

  test("a step's result is written until it answers", async () => {
    expect(await deliver((run) => run.step("one", () => 1), {}, throttled("put-record", 6))).toBe(1);
    expect(await record()).toMatchObject({ status: "SUCCEEDED" });
  });

  test("until the deadline the step fails with that fault, and the attempt ends by its time-out", async () => {
    let thrown: unknown;
    const late = deliver(
      async (run) => {
        thrown = await run.step("one", () => 1).catch((error) => error);
        await new Promise<void>((resolve) => {
          if (run.signal.aborted) resolve();
          run.signal.addEventListener("abort", () => resolve());
          runtime.clock.advance(5_000);
        });
      },
      {},
      throttled("put-record", Number.POSITIVE_INFINITY),
    );
    await expect(late).rejects.toMatchObject({ code: "RUN_TIMED_OUT" });
    expect(thrown).toMatchObject({ code: "STORE_THROTTLED" });
  });

  test("a result that could not be written is written with the next step's", async () => {
    let tries = 0;
    const { store } = runtime;
    const broken: TestRuntime = {
      ...runtime,
      store: {
        async execute(command) {
          if (command.kind !== "put-record" || tries++ > 0) return store.execute(command);
          throw new StoreError("STORE_REJECTED", "not today");
        },
      },
    };
    const failing = deliver(
      async (run) => {
        await expect(run.step("one", () => 1)).rejects.toMatchObject({ code: "STORE_REJECTED" });
        await run.step("two", () => 2);
        expect((await record())?.steps?.map(({ name }) => name)).toEqual(["one", "two"]);
      },
      {},
      broken,
    );
    await failing;
  });

  test("a lost reply is no refusal", async () => {
    faults.strike("PutItem", "lose-reply");
    await deliver((run) => run.step("one", () => 1));
    expect(await record()).toMatchObject({ status: "SUCCEEDED" });
  });
});

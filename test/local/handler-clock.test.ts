import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { RunnerClock } from "../../lib/local/index.ts";
import { ManualClock } from "./manual-clock.ts";
import { running } from "./running.ts";

const telling = {
  timeoutSeconds: 20,
  source: `
    const loadedAt = new Date().toISOString().slice(0, 16);
    const minute = (date) => date.toISOString().slice(0, 16);
    export const handler = async (_event, context) => {
      const leftMs = context.getRemainingTimeInMillis();
      const answer = await fetch(process.env.AWS_ENDPOINT_URL_DYNAMODB);
      console.log(JSON.stringify({
        loadedAt,
        now: [minute(new Date()), minute(new Date(Date.now())), minute(new Date(Date() + " "))],
        isDate: [new Date() instanceof Date, new Date(0).getTime() === 0, new Date().constructor === Date],
        hasTime: leftMs > 15_000 && leftMs <= 20_000,
        endsAt: minute(new Date(Date.now() + leftMs)),
        table: minute(new Date(answer.headers.get("date"))),
      }));
    };`,
};

test("a handler, its remaining time and its table go by the runner's clock, and go on with it", async () => {
  const clock = new ManualClock("2026-10-25T00:59:10Z");
  const { runner, invoke, heard, lines } = await running({ fn: telling }, { clock });
  const finish = async (now: string) => {
    await clock.moveTo(now);
    const requestId = await invoke("fn");
    await clock.moveTo(now);
    await heard("finished", (event) => event.requestId === requestId);
    await vi.waitFor(() => expect(runner.workers()).toMatchObject([{ state: "idle" }]));
    return JSON.parse(lines("fn").at(-1) as string);
  };
  const right = { isDate: [true, true, true], hasTime: true, loadedAt: "2026-10-25T00:59" };
  const first = "2026-10-25T00:59";
  expect(await finish("2026-10-25T00:59:10Z")).toEqual({
    ...right,
    now: [first, first, first],
    endsAt: first,
    table: first,
  });
  // Within a minute, after which an idle sandbox ends.
  const second = "2026-10-25T01:00";
  expect(await finish("2026-10-25T01:00:05Z")).toEqual({
    ...right,
    now: [second, second, second],
    endsAt: second,
    table: second,
  });
});

test("the file of its log was last written when the runner's clock says", async () => {
  const clock = new ManualClock("2026-10-25T00:59:10.123Z");
  const source = "export const handler = async (_event, { logStreamName }) => console.log(logStreamName);";
  const { runner, invoke, heard, lines } = await running({ fn: { source } }, { clock });
  await invoke("fn");
  await clock.moveTo("2026-10-25T00:59:10.123Z");
  await heard("finished");
  const { mtime } = statSync(join(runner.paths.logs, "fn", `${lines("fn")[0]}.log`));
  expect(mtime.toISOString()).toBe("2026-10-25T00:59:10.123Z");
});

test.each(["setTimeout(resolve, 5)", "process.exit(3)"])(
  "--speed: however slow the machine is while an invocation begins and ends, its time is what it took: %s",
  async (work) => {
    const source = `export const handler = () => new Promise((resolve) => { ${work}; });`;
    // Nobody gets round to anything for a millisecond wherever the time is read: 2 s at this speed.
    let stalledMs = 0;
    const machine = {
      nowMs() {
        stalledMs += 1;
        return Date.now() + stalledMs;
      },
      startTimer(delayMs: number, callback: () => void) {
        const timer = setTimeout(callback, delayMs);
        return () => clearTimeout(timer);
      },
    };
    const { finish } = await running(
      { fn: { source, timeoutSeconds: 4 } },
      { clock: new RunnerClock({ speed: 2_000, machine }) },
    );
    for (const _ of ["cold", "warm"]) {
      const { durationMs, error } = await finish("fn");
      expect(error?.errorType).not.toBe("Sandbox.Timedout");
      expect(durationMs).toBeLessThan(2_000);
    }
  },
);

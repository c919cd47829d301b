import { expect, onTestFinished, test, vi } from "vitest";
import { runnerSide } from "../../lib/cli/runner-side.ts";
import type { RunnerNews } from "../../lib/dashboard/index.ts";
import type { Runner, RunnerEvent } from "../../lib/local/index.ts";

const AT_MS = Date.parse("2026-05-01T10:00:00Z");

/** What the dashboard hears of a runner with this speed, and no jobs to be read. */
function dashboardOn(speed: number) {
  let tell: (event: RunnerEvent) => void = () => {};
  const clock = {
    nowMs: AT_MS,
    pace: speed,
    changed: () => {},
  };
  const runner = {
    clock: {
      speed,
      now: () => clock.nowMs,
      pace: () => clock.pace,
      subscribe(listen: () => void) {
        clock.changed = listen;
        return () => {
          clock.changed = () => {};
        };
      },
    },
    get jobs(): never {
      throw new Error("the jobs were read");
    },
    subscribe(listen: typeof tell) {
      tell = listen;
      return () => {};
    },
  } as Partial<Runner> as Runner;
  const heard: RunnerNews[] = [];
  const end = runnerSide(runner).subscribe((news) => heard.push(news));
  onTestFinished(end);
  return { heard, clock, tell, end };
}

test("a line of a run is passed on without a look at every schedule", () => {
  const { heard, tell } = dashboardOn(1);
  tell({ kind: "log", functionName: "shop-nightly", job: "nightly", runId: "r1", atMs: AT_MS, line: "hello" });
  expect(heard).toEqual([
    { kind: "job-changed", job: "nightly" },
    { kind: "log", job: "nightly", runId: "r1", at: "2026-05-01T10:00:00.000Z", line: "hello" },
  ]);
});

test("a fast clock is told when its pace changes, and each second until nobody listens any more", () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const { heard, clock, end } = dashboardOn(60);
  Object.assign(clock, { nowMs: AT_MS + 30_000, pace: 1 });
  clock.changed();
  expect(heard).toEqual([{ kind: "clock", now: "2026-05-01T10:00:30.000Z", pace: 1 }]);
  clock.nowMs += 1_000;
  vi.advanceTimersByTime(1_000);
  expect(heard.slice(1)).toEqual([{ kind: "clock", now: "2026-05-01T10:00:31.000Z", pace: 1 }]);
  end();
  clock.changed();
  vi.advanceTimersByTime(60_000);
  expect(heard).toHaveLength(2);
});

test("a clock that is as fast as the machine's is not told: the page counts on by itself", () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const { heard } = dashboardOn(1);
  vi.advanceTimersByTime(60_000);
  expect(heard).toEqual([]);
});

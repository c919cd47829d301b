import { expect, test } from "vitest";
import { runnerSide } from "../../lib/cli/runner-side.ts";
import type { Runner, RunnerEvent } from "../../lib/local/index.ts";

test("a line of a run is passed on without a look at every schedule", () => {
  let tell: (event: RunnerEvent) => void = () => {};
  const runner = {
    clock: { now: () => Date.parse("2026-05-01T10:00:01Z"), speed: 1 },
    get jobs(): never {
      throw new Error("the jobs were read for a log line");
    },
    subscribe(listen: typeof tell) {
      tell = listen;
      return () => {};
    },
  } as Partial<Runner> as Runner;
  const heard: unknown[] = [];
  runnerSide(runner).subscribe((news) => heard.push(news));
  const atMs = Date.parse("2026-05-01T10:00:00Z");
  tell({ kind: "log", functionName: "shop-nightly", job: "nightly", runId: "r1", atMs, line: "hello" });
  expect(heard).toEqual([
    { kind: "job-changed", job: "nightly" },
    { kind: "log", job: "nightly", runId: "r1", at: "2026-05-01T10:00:00.000Z", line: "hello" },
  ]);
});

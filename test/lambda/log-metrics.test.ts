import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createLog } from "../../lib/lambda/log.ts";
import {
  countRejectedRequest,
  createMetrics,
  createWatchMetrics,
  METRIC_NAMESPACE,
  METRICS,
} from "../../lib/lambda/metrics.ts";

/** What goes to standard output, line by line. */
const printed: Record<string, unknown>[] = [];

beforeEach(() => {
  printed.length = 0;
  vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    for (const line of String(chunk).split("\n").filter(Boolean)) printed.push(JSON.parse(line));
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe("the log", () => {
  test("writes JSON lines that carry job, run, attempt and request id", () => {
    const log = createLog("Escapement-dev", {
      job: "nightly-report",
      runId: "manual#7",
      requestId: "req-1",
      attempt: 2,
    });
    log.info("hello", { rows: 42 });
    expect(printed).toEqual([
      expect.objectContaining({
        level: "INFO",
        message: "hello",
        service: "Escapement-dev",
        job: "nightly-report",
        runId: "manual#7",
        requestId: "req-1",
        attempt: 2,
        rows: 42,
      }),
    ]);
  });

  test("of one invocation has nothing of another's", () => {
    const first = createLog("Escapement-dev", {
      job: "nightly-report",
      runId: "manual#1",
      requestId: "req-1",
      attempt: 3,
    });
    const second = createLog("Escapement-dev", { job: "nightly-report", runId: "manual#2", requestId: "req-2" });
    first.info("one");
    second.info("two");
    first.info("three");
    expect(printed.map(({ runId, attempt }) => [runId, attempt])).toEqual([
      ["manual#1", 3],
      ["manual#2", undefined],
      ["manual#1", 3],
    ]);
  });
});

/** The dimension sets, values and metrics of each line, as CloudWatch would read them. */
function emitted() {
  return printed.map((line) => {
    const { CloudWatchMetrics } = line["_aws"] as {
      CloudWatchMetrics: { Namespace: string; Dimensions: string[][]; Metrics: { Name: string; Unit: string }[] }[];
    };
    const [directive] = CloudWatchMetrics;
    const [metric] = directive?.Metrics ?? [];
    return {
      namespace: directive?.Namespace,
      sets: directive?.Dimensions.map((names) =>
        names
          .toSorted()
          .map((name) => `${name}=${line[name]}`)
          .join(" "),
      ),
      metric: `${metric?.Name} ${line[metric?.Name ?? ""]} ${metric?.Unit}`,
    };
  });
}

describe("the metrics", () => {
  const metrics = createMetrics("Escapement-dev", "nightly-report");

  test("count a run by its status, and measure duration and lateness", () => {
    metrics.ended({ status: "SUCCEEDED", durationMs: 1_200, latenessMs: 30_000 });
    expect(emitted()).toEqual([
      {
        namespace: "Escapement",
        sets: ["fleet=Escapement-dev status=SUCCEEDED", "fleet=Escapement-dev job=nightly-report status=SUCCEEDED"],
        metric: "Runs 1 Count",
      },
      {
        namespace: "Escapement",
        sets: ["fleet=Escapement-dev job=nightly-report"],
        metric: "DurationMs 1200 Milliseconds",
      },
      {
        namespace: "Escapement",
        sets: ["fleet=Escapement-dev job=nightly-report"],
        metric: "LatenessMs 30000 Milliseconds",
      },
    ]);
  });

  test("measure no lateness where there is none", () => {
    metrics.ended({ status: "FAILED", durationMs: 1, latenessMs: undefined });
    expect(emitted().map(({ metric }) => metric)).toEqual(["Runs 1 Count", "DurationMs 1 Milliseconds"]);
  });

  test("count skipped occurrences by reason, queued ones, duplicates, and rejected requests", () => {
    metrics.skipped("overlap");
    metrics.queued();
    metrics.handOverFailed();
    metrics.duplicate();
    countRejectedRequest("Escapement-dev");
    expect(emitted().map(({ sets, metric }) => [sets, metric])).toEqual([
      [
        ["fleet=Escapement-dev reason=overlap", "fleet=Escapement-dev job=nightly-report reason=overlap"],
        "Skipped 1 Count",
      ],
      [["fleet=Escapement-dev job=nightly-report"], "Queued 1 Count"],
      [["fleet=Escapement-dev job=nightly-report"], "HandOverFailures 1 Count"],
      [["fleet=Escapement-dev job=nightly-report"], "Duplicates 1 Count"],
      [["fleet=Escapement-dev"], "RejectedRequests 1 Count"],
    ]);
  });

  test("count what the watchdog finds, and lost attempts among the runs", () => {
    createWatchMetrics("Escapement-dev").missed("nightly-report", 2);
    createWatchMetrics("Escapement-dev").looked(1);
    metrics.lost();
    expect(emitted().map(({ sets, metric }) => [sets, metric])).toEqual([
      [["fleet=Escapement-dev", "fleet=Escapement-dev job=nightly-report"], "MissedRuns 2 Count"],
      [["fleet=Escapement-dev"], "Looks 1 Count"],
      [["fleet=Escapement-dev"], "UnwatchedJobs 1 Count"],
      [["fleet=Escapement-dev status=LOST", "fleet=Escapement-dev job=nightly-report status=LOST"], "Runs 1 Count"],
    ]);
  });

  test("have the names that alarms use", () => {
    expect(METRIC_NAMESPACE).toBe("Escapement");
    expect(Object.values(METRICS).map(({ name }) => name)).toEqual([
      "Runs",
      "DurationMs",
      "LatenessMs",
      "Skipped",
      "Queued",
      "HandOverFailures",
      "Duplicates",
      "RejectedRequests",
      "MissedRuns",
      "Looks",
      "UnwatchedJobs",
    ]);
  });
});

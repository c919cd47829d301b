import { describe, expect, test } from "vitest";
import { checkJsonInput } from "../../../lib/dashboard/page/actions/json-input.ts";
import { withTexts } from "../../../lib/dashboard/page/api/with-texts.ts";
import { applyToDetail } from "../../../lib/dashboard/page/job/apply-event.ts";
import { jobHref, parseRoute, runHref } from "../../../lib/dashboard/page/route.ts";
import { consoleLink } from "../../../lib/dashboard/page/run/console-link.ts";
import { courseOf, lockWaitText } from "../../../lib/dashboard/page/run/course.ts";
import { mergeLog } from "../../../lib/dashboard/page/run/merge-log.ts";
import type { JobDetail } from "../../../lib/operations/index.ts";
import { instant, jobOf, runOf } from "../browser/fake/jobs.ts";

describe("an address", () => {
  test("leads back to the place that it was made for, whatever the name", () => {
    const job = 'a/b #"<?%';
    const runId = "2026-03-28T01:30:00.000Z#default";
    expect(parseRoute(jobHref(job))).toEqual({ page: "job", job });
    expect(parseRoute(runHref(job, runId))).toEqual({ page: "run", job, runId });
  });

  test.each([
    ["", { page: "fleet" }],
    ["#/", { page: "fleet" }],
    ["#/timeline", { page: "timeline" }],
    ["#/dead-letters", { page: "dead-letters" }],
    ["#/jobs/", { page: "unknown", path: "jobs/" }],
    ["#/jobs/a/runs", { page: "unknown", path: "jobs/a/runs" }],
    ["#/jobs/%E0%A4%A", { page: "job", job: "%E0%A4%A" }],
  ])("%s", (hash, route) => {
    expect(parseRoute(hash)).toEqual(route);
  });
});

describe("the input of a run", () => {
  test("is any JSON value, or nothing", () => {
    expect(checkJsonInput(' { "day": "2026-03-27" } ')).toEqual({ json: '{ "day": "2026-03-27" }' });
    expect(checkJsonInput("null")).toEqual({ json: "null" });
    expect(checkJsonInput("  ")).toEqual({});
  });

  test("is sent as it was typed: what JavaScript would make another number of is for the server to refuse", () => {
    expect(withTexts({ reason: "x", by: undefined }, { input: '{"a":1e999}' })).toBe(
      '{"reason":"x","input":{"a":1e999}}',
    );
    expect(withTexts({}, { input: undefined })).toBe("{}");
  });

  test("is refused where it is no JSON", () => {
    expect(checkJsonInput("{day: 1}")).toEqual({ error: expect.stringMatching(/^The input is not JSON: /) });
  });
});

describe("SE-03: what becomes a link", () => {
  test("is an address of the AWS console", () => {
    const address = "https://eu-central-1.console.aws.amazon.com/cloudwatch/home?region=eu-central-1#logsV2:log-groups";
    expect(consoleLink(address)).toBe(address);
  });

  test.each([
    "javascript:alert(1)",
    "https://evil.example/console.aws.amazon.com/",
    "https://evil.example#.console.aws.amazon.com/",
    "http://eu-central-1.console.aws.amazon.com/",
    "/var/log/1.log",
  ])("is not %s", (address) => {
    expect(consoleLink(address)).toBeUndefined();
  });
});

describe("the course of a run", () => {
  test("tells how late it started and how long it took", () => {
    const run = runOf("a", 60, { durationMs: 42_000 });
    expect(courseOf(run).map(({ name, since }) => [name, since])).toEqual([
      ["Scheduled", undefined],
      ["Started", "+1.2 s"],
      ["Ended", "+42 s"],
    ]);
  });

  test("tells when it was delivered, and how long it waited for the lock then", () => {
    const waited = runOf("a", 60, { durationMs: 42_000, deliveredAt: "2026-03-28T18:59:55Z" });
    const run = { ...waited, scheduledTime: "2026-03-28T18:59:54Z" };
    expect(courseOf(run).map(({ name, since }) => [name, since])).toEqual([
      ["Scheduled", undefined],
      ["Delivered", "+1 s"],
      ["Started", "+6.2 s"],
      ["Ended", "+42 s"],
    ]);
    expect(lockWaitText(run)).toBe("6.2 s");
    expect(lockWaitText(runOf("a", 60))).toBeUndefined();
  });

  test("of a skipped one ends where it was skipped", () => {
    const run = runOf("a", 60, { status: "SKIPPED", reason: "overlap", endedAt: instant(-59) });
    expect(courseOf(run).map(({ name, since }) => [name, since])).toEqual([
      ["Scheduled", undefined],
      ["Skipped", "+1 min"],
    ]);
  });

  test("does not count from the time that a rerun works for, which may be weeks ago", () => {
    const { schedule: _, scheduledTime: __, ...run } = runOf("a", 60);
    const rerun = { ...run, workTime: instant(-10_000), requestedAt: instant(-61) };
    expect(courseOf(rerun).map(({ name, since }) => [name, since])).toEqual([
      ["Works for", undefined],
      ["Requested", undefined],
      ["Started", "+1 min 1 s"],
      ["Ended", "+42 s"],
    ]);
  });
});

describe("a log that is read while lines come", () => {
  test("has each line once", () => {
    const read = [{ text: "one" }, { text: "two" }];
    const heard = [{ text: "two" }, { text: "three" }];
    expect(mergeLog(read, heard).map(({ message }) => message)).toEqual(["one", "two", "three"]);
  });

  test("has a line twice that was printed twice", () => {
    const heard = [{ text: "tick" }, { text: "tick" }];
    expect(mergeLog([{ text: "tick" }], heard).map(({ message }) => message)).toEqual(["tick", "tick"]);
  });

  test("keeps the newest 2,000 lines", () => {
    const read = Array.from({ length: 2_500 }, (_, index) => ({ text: String(index) }));
    expect(mergeLog(read, [])).toHaveLength(2_000);
    expect(mergeLog(read, [])[0]?.message).toBe("500");
  });

  test("is in the order of time, whichever sandbox printed what", () => {
    const line = (message: string, time: string) => ({
      text: JSON.stringify({ message, timestamp: `2026-03-28T${time}Z` }),
    });
    const read = [line("third", "01:02:00"), line("first", "01:00:00"), { text: "second, by console.log" }];
    expect(mergeLog(read, []).map(({ message }) => message)).toEqual(["first", "second, by console.log", "third"]);
  });
});

describe("a job's page after an event", () => {
  const { recent: _, ...rest } = jobOf("a", 5);
  const detail = { ...rest, runs: [runOf("a", 60), runOf("a", 120)] } as unknown as JobDetail;

  test("has a new run at the top", () => {
    const run = runOf("a", 1, { status: "RUNNING" });
    expect(applyToDetail(detail, { kind: "run", run }).runs.map(({ status }) => status)).toEqual([
      "RUNNING",
      "SUCCEEDED",
      "SUCCEEDED",
    ]);
  });

  test("has a known run as it is now", () => {
    const run = runOf("a", 120, { status: "FAILED" });
    expect(applyToDetail(detail, { kind: "run", run }).runs.map(({ status }) => status)).toEqual([
      "SUCCEEDED",
      "FAILED",
    ]);
  });

  test("is the same one where the event is of another job", () => {
    expect(applyToDetail(detail, { kind: "run", run: runOf("b", 1) })).toBe(detail);
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { JobError } from "../../lib/lambda/errors.ts";
import { FUNCTION_DEFAULTS } from "../../lib/lambda/function-options.ts";
import { defineJob, jobOf, parseJob } from "../../lib/lambda/job.ts";
import { DEFAULT_LATENESS, DEFAULTS, type JobOptions } from "../../lib/lambda/options.ts";
import { at, cron, rate } from "../../lib/schedule/index.ts";

const schedule = cron("0 2 * * ? *", { timeZone: "Europe/Berlin" });

/** Options as a JavaScript file could give them. */
function parse(options: Record<string, unknown>) {
  return parseJob("nightly-report", options as unknown as JobOptions);
}

function errorOf(options: Record<string, unknown>): JobError {
  try {
    parse(options);
  } catch (error) {
    if (error instanceof JobError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("defaults", () => {
  test("everything but the schedule has one", () => {
    expect(parse({ schedule })).toEqual({
      name: "nightly-report",
      schedules: { default: schedule },
      timeoutMs: 60_000,
      overlap: "skip",
      queueLength: 10,
      catchUp: "none",
      maxLatenessMs: { default: 3_600_000 },
      retries: 2,
      retentionMs: 7_776_000_000,
      deadlineMarginMs: 1_000,
      locks: [],
      priority: 0,
      store: { input: false, result: false },
      redact: expect.any(Function),
      enabled: true,
      alarms: false,
      function: {
        memoryMb: 256,
        architecture: "arm64",
        ephemeralStorageMb: 512,
        environment: {},
        layers: [],
        bundling: { external: [], loader: {} },
      },
    });
  });

  test.each([
    ["rate(1 minute): at least 5 minutes", rate("1 minute"), 300_000],
    ["rate(20 minutes): its period", rate("20 minutes"), 1_200_000],
    ["rate(1 day): at most 1 hour", rate("1 day"), 3_600_000],
    ["one occurrence: 1 hour", at("2030-02-01T15:00:00"), 3_600_000],
  ])("maxLateness of %s", (_what, spec, expected) => {
    expect(parse({ schedule: spec }).maxLatenessMs).toEqual({ default: expected });
  });

  test("an option that is undefined is one that was not given", () => {
    expect(parse({ schedule, retries: undefined }).retries).toBe(2);
  });

  test("are those of the table in docs/handler.md", () => {
    const page = readFileSync(join(import.meta.dirname, "../../docs/handler.md"), "utf8");
    const table = new Map(
      [...page.matchAll(/^\| `(\w+)` \| ([^|]+) \|/gm)].map(([, name, text]) => [name, text?.trim()]),
    );
    for (const [name, value] of Object.entries({ ...DEFAULTS, ...FUNCTION_DEFAULTS }))
      expect([name, table.get(name)]).toEqual([name, `\`${value}\``]);
    expect(table.get("maxLateness")).toContain(`at least ${DEFAULT_LATENESS.atLeast}`);
    expect(table.get("maxLateness")).toContain(`at most ${DEFAULT_LATENESS.atMost}`);
  });
});

describe("several schedules", () => {
  test("have names, each with its own lateness", () => {
    const job = parse({ schedule: { weekday: rate("10 minutes"), weekend: cron("0 9 ? * 7 *") } });
    expect(Object.keys(job.schedules)).toEqual(["weekday", "weekend"]);
    expect(job.maxLatenessMs).toEqual({ weekday: 600_000, weekend: 3_600_000 });
  });

  test("that were written by hand are kept in the strict form", () => {
    const spec = { expression: "rate(1 minutes)", timeZone: "asia/calcutta", start: "2026-05-01T00:00Z" };
    expect(parse({ schedule: { every: spec } }).schedules).toEqual({
      every: { expression: "rate(1 minute)", timeZone: "Asia/Calcutta", start: "2026-05-01T00:00:00Z" },
    });
  });

  test("may be called `expression`", () => {
    expect(Object.keys(parse({ schedule: { expression: rate("1 hour") } }).schedules)).toEqual(["expression"]);
  });

  test.each(["manual", "constructor", "prototype", "a#b", "", "x".repeat(65)])("may not be called %j", (name) => {
    expect(errorOf({ schedule: { [name]: rate("1 hour") } })).toMatchObject({ field: "schedule", value: name });
  });
});

describe("wrong options", () => {
  test.each([
    [
      { schedule, overlapp: "skip" },
      'unknown option "overlapp". Did you mean "overlap"? Allowed: schedule, timeout, overlap, queueLength, catchUp, maxLateness, retries, retention, deadlineMargin, heartbeat, holdAfterTimeout, locks, priority, description, store, redact, onSkipped, enabled, alarms, group, function.',
    ],
    [
      { schedule, overlap: "replace" },
      'overlap "replace" asks the run before to stop, which hears that by its heartbeat. Add one, such as "20 seconds".',
    ],
    [{ schedule, overlap: "wait" }, 'overlap is "wait". Allowed: "skip", "queue", "replace", "allow".'],
    [{ schedule, queueLength: 0 }, "queueLength is 0. Allowed: a whole number from 1 to 50."],
    [{ schedule, queueLength: 51 }, "queueLength is 51. Allowed: a whole number from 1 to 50."],
    [{ schedule, catchUp: true }, 'catchUp is true. Allowed: "none", "latest", "all".'],
    [
      { schedule, locks: ["billing db"] },
      'locks is ["billing db"]. Allowed: up to 10 names of 1-64 letters, digits, "_" and "-", beginning with a letter or digit.',
    ],
    [{ schedule, locks: ["b", "a", "b"] }, 'locks names "b" twice. Name each lock once.'],
    [
      { schedule, locks: ["a"], overlap: "allow" },
      'with overlap "allow" a run takes no lock, and can take no shared one. Remove one of the two.',
    ],
    [{ schedule, priority: 0.5 }, "priority is 0.5. Allowed: a whole number from -100 to 100."],
    [
      { schedule, overlap: "allow", heartbeat: "15 seconds" },
      'a heartbeat renews a lock, and with overlap "allow" there is none. Remove one of the two.',
    ],
    [
      { schedule, timeout: "5min" },
      'timeout is "5min". Allowed: from "1 second" to "15 minutes", in seconds, minutes, hours or days.',
    ],
    [
      { schedule, timeout: 300 },
      'timeout is 300. Allowed: from "1 second" to "15 minutes", in seconds, minutes, hours or days.',
    ],
    [
      { schedule, timeout: "16 minutes" },
      'timeout is "16 minutes". Allowed: from "1 second" to "15 minutes", in seconds, minutes, hours or days.',
    ],
    [
      { schedule, timeout: "0 minutes" },
      'timeout is "0 minutes". Allowed: from "1 second" to "15 minutes", in seconds, minutes, hours or days.',
    ],
    [
      { schedule, retention: "1 day" },
      'retention is "1 day". Allowed: from "7 days" to "3650 days", in seconds, minutes, hours or days.',
    ],
    [
      { schedule, deadlineMargin: "30 seconds", timeout: "30 seconds" },
      'deadlineMargin is "30 seconds". Allowed: less than the timeout, "30 seconds".',
    ],
    [
      { schedule, timeout: "5 minutes", heartbeat: "2 minutes" },
      'heartbeat is "2 minutes". Allowed: up to 75 seconds, a quarter of the timeout.',
    ],
    [
      { schedule, heartbeat: "1 second" },
      'heartbeat is "1 second". Allowed: from "5 seconds" to "225 seconds", in seconds, minutes, hours or days.',
    ],
    [{ schedule, retries: 11 }, "retries is 11. Allowed: a whole number from 0 to 10."],
    [{ schedule, retries: "2" }, 'retries is "2". Allowed: a whole number from 0 to 10.'],
    [{ schedule, retries: Number.NaN }, "retries is NaN. Allowed: a whole number from 0 to 10."],
    [{ schedule, enabled: "no" }, 'enabled is "no". Allowed: true or false.'],
    [
      { schedule, store: { results: true } },
      'unknown option "store.results". Did you mean "store.result"? Allowed: input, result.',
    ],
    [{ schedule, store: { input: 1 } }, "store.input is 1. Allowed: true or false."],
    [{ schedule, redact: "email" }, 'redact is "email". Allowed: a function.'],
    [{ schedule, onSkipped: "page me" }, 'onSkipped is "page me". Allowed: a function.'],
    [{ schedule, description: 1 }, "description is 1. Allowed: text of up to 256 characters."],
    [{ schedule, store: "input" }, 'store is "input". Allowed: an object.'],
    [{ schedule: {} }, "schedule is {}. Allowed: one schedule or more."],
  ])("%j", (options, problem) => {
    expect(errorOf(options).message).toBe(`Job nightly-report: ${problem}`);
  });

  test.each([
    [undefined, "undefined"],
    ["cron(0 12 * * ? *)", '"cron(0 12 * * ? *)"'],
    [["rate(1 hour)"], '["rate(1 hour)"]'],
  ])("%j in place of a schedule says how one is made", (none, found) => {
    expect(errorOf({ schedule: none })).toMatchObject({ field: "schedule", value: none });
    expect(errorOf({ schedule: none }).message).toBe(
      `Job nightly-report: schedule: a schedule is made by cron("0 2 * * ? *"), rate("5 minutes") or at("2030-02-01T15:00:00"); found ${found}`,
    );
    expect(errorOf({ schedule: { weekend: none } })).toMatchObject({ field: "schedule.weekend", value: none });
  });

  test("a wrong expression says job, schedule and the expression's own error", () => {
    const error = errorOf({ schedule: { weekend: { expression: "cron(0 12 * * ?)", timeZone: "UTC" } } });
    expect(error).toMatchObject({ code: "INVALID_JOB", job: "nightly-report", field: "schedule.weekend" });
    expect(error.message).toContain("cron(0 12 * * ?)");
    expect(error.cause).toMatchObject({ code: "INVALID_SCHEDULE" });
  });

  test("a value that cannot be printed does no harm", () => {
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    expect(errorOf({ schedule, timeout: circle }).message).toContain("timeout is [object Object].");
    expect(errorOf({ schedule, timeout: { toJSON: () => undefined } }).message).toContain(
      "timeout is [object Object].",
    );
  });

  test.each(["nightly report", "a/b", "Überweisung", ".hidden", "", "x".repeat(65)])(
    "a job may not be called %j",
    (name) => {
      expect(() => parseJob(name, { schedule })).toThrow("is not allowed. Use 1-64 letters, digits");
    },
  );

  test("are refused when they are defined, before the job has a name", () => {
    expect(() => defineJob({ schedule, retries: 11 })).toThrow(
      "Job options: retries is 11. Allowed: a whole number from 0 to 10.",
    );
  });
});

test("a definition carries its options, and the caller's object is left alone", () => {
  const options: JobOptions = { schedule, retries: 1 };
  expect(jobOf(defineJob(options))).toEqual(options);
  expect(Object.isFrozen(options)).toBe(false);
  expect(jobOf(options)).toBeUndefined();
  expect(jobOf(undefined)).toBeUndefined();
});

test("LK-08: a lock lasts as long as the invocation can, up to 15 minutes; a heartbeat too long for that is refused with both numbers", () => {
  const message = errorOf({ schedule, timeout: "5 minutes", heartbeat: "2 minutes" }).message;
  expect(message).toContain('heartbeat is "2 minutes". Allowed: up to 75 seconds, a quarter of the timeout');
  const longest = parseJob("nightly-report", { schedule, timeout: "15 minutes", heartbeat: "225 seconds" });
  expect(longest).toMatchObject({ timeoutMs: 900_000, heartbeatMs: 225_000 });
});

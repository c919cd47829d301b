import { Annotations, Match, Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { RunTable, ScheduledFunctionsStack } from "../../lib/infra/index.ts";
import { aJob, anApp, aStack, jobSchedules } from "./fleet.ts";

const hourly = (index: number, more = {}) =>
  aJob(`job-${index}`, {
    group: "hourly",
    schedules: { default: { expression: "cron(0 * * * ? *)", timeZone: "UTC", ...more } },
  });
const fleetPath = "/Escapement-dev/Fleet";

describe("what synthesis says of the jobs together", () => {
  test("a crash early in a long run waits for the watchdog, unless there is a heartbeat", () => {
    const note = (...jobs: ReturnType<typeof aJob>[]) =>
      Annotations.fromStack(aStack(jobs)).findInfo(fleetPath, Match.stringLikeRegexp("CRASH_WAITS"));
    const [found] = note(
      aJob("long", { timeoutMs: 56_000 }),
      aJob("short", { timeoutMs: 55_000 }),
      aJob("beating", { heartbeatMs: 20_000 }),
      aJob("free", { overlap: "allow" }),
    );
    expect(found?.entry.data).toBe(
      "A crash early in a run waits for the watchdog in jobs whose timeout is over 55 seconds and that have no heartbeat: long. Where that is too long, give the job a heartbeat. [ack: escapement:CRASH_WAITS]",
    );
    expect(note(aJob("short", { timeoutMs: 55_000 }))).toEqual([]);
  });

  test("SC-01: 400 jobs at the full hour are counted in a warning that says how to spread them", () => {
    const jobs = Array.from({ length: 400 }, (_, index) => hourly(index));
    Annotations.fromStack(aStack(jobs)).hasWarning(
      fleetPath,
      Match.stringLikeRegexp(
        "^400 schedules start in the same minute, \\d{4}-\\d\\d-\\d\\dT\\d\\d:00Z for one, and share the account's concurrency\\. Spread them: give the fleet spreadMinutes: 15, .*flexibleWindowMinutes: 15",
      ),
    );
  });

  test("SC-01: with windows they are spread, and nothing is said; nor of fewer than 100", () => {
    const quiet = (jobs: ReturnType<typeof aJob>[]) =>
      Annotations.fromStack(aStack(jobs)).hasNoWarning(fleetPath, Match.stringLikeRegexp("CROWDED_MINUTE"));
    quiet(Array.from({ length: 400 }, (_, index) => hourly(index, { flexibleWindowMinutes: 15 })));
    quiet(Array.from({ length: 99 }, (_, index) => hourly(index)));
  });

  test("SC-01: a fleet that is spread keeps each slot, in a window that reaches no other and makes nothing late", () => {
    const schedule = (expression: string, more = {}) => ({ default: { expression, timeZone: "UTC", ...more } });
    const jobs = [
      ...Array.from({ length: 400 }, (_, index) => hourly(index)),
      aJob("often", { schedules: schedule("cron(0/10 * * * ? *)") }),
      aJob("each-minute", { schedules: schedule("rate(1 minute)") }),
      aJob("own-window", { schedules: schedule("cron(0 2 * * ? *)", { flexibleWindowMinutes: 90 }) }),
      aJob("soon-late", { schedules: schedule("cron(0 2 * * ? *)"), maxLatenessMs: { default: 300_000 } }),
    ];
    const stack = new ScheduledFunctionsStack(anApp(), "Escapement-dev", { stage: "dev", jobs, spreadMinutes: 15 });
    const schedules = Object.values(jobSchedules(Template.fromStack(stack))).map(({ Properties }) => Properties);
    const windowOf = (job: string) => schedules.find(({ Name }) => Name === job)?.FlexibleTimeWindow;
    const window = (minutes: number) => ({ Mode: "FLEXIBLE", MaximumWindowInMinutes: minutes });

    const spread = schedules.filter(({ ScheduleExpression }) => ScheduleExpression === "cron(0 * * * ? *)");
    expect(spread).toHaveLength(400);
    for (const { FlexibleTimeWindow } of spread) expect(FlexibleTimeWindow).toEqual(window(15));
    // Half of the ten minutes to the next, of the five until it is late; a minute has no half of whole minutes.
    expect(windowOf("often")).toEqual(window(5));
    expect(windowOf("soon-late")).toEqual(window(2));
    expect(windowOf("each-minute")).toEqual({ Mode: "OFF" });
    expect(windowOf("own-window")).toEqual(window(90));
    Annotations.fromStack(stack).hasNoWarning(fleetPath, Match.stringLikeRegexp("CROWDED_MINUTE"));
  });

  test.each([0, 1441, 2.5])("SC-01: a fleet is spread over 1 to 1440 minutes, not %d", (spreadMinutes) => {
    const jobs = [aJob("nightly")];
    expect(() => new ScheduledFunctionsStack(anApp(), "Escapement-dev", { stage: "dev", jobs, spreadMinutes })).toThrow(
      `spreadMinutes is ${spreadMinutes}. Allowed: a whole number from 1 to 1440.`,
    );
  });

  test("SC-08: a table that another stage uses, too, is warned of by both names", () => {
    const app = anApp();
    const jobs = [aJob("nightly")];
    const prod = new ScheduledFunctionsStack(app, "Escapement-prod", { stage: "prod", jobs });
    const staging = new ScheduledFunctionsStack(app, "Escapement-staging", {
      stage: "staging",
      jobs,
      table: prod.fleet.table,
    });
    Annotations.fromStack(staging).hasWarning(
      "/Escapement-staging/Fleet",
      Match.stringLikeRegexp(
        "^The table of Escapement-staging is also that of Escapement-prod\\. Their runs do not meet, ",
      ),
    );
    const own = new ScheduledFunctionsStack(app, "Escapement-eu", {
      stage: "prod",
      jobs,
      table: new RunTable(prod, "Other"),
    });
    Annotations.fromStack(own).hasNoWarning("/Escapement-eu/Fleet", Match.stringLikeRegexp("SHARED_TABLE"));
  });
});

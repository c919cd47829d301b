import { Annotations, Match, type Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, test } from "vitest";
import { ScheduledFunctions, SynthError } from "../../lib/infra/index.ts";
import { aJob, aStack, jobSchedules, synthesize } from "./fleet.ts";

const utc = (expression: string) => ({ expression, timeZone: "UTC" });

describe("schedules", () => {
  let template: Template;

  beforeAll(() => {
    template = synthesize([
      aJob("several", {
        schedules: {
          melbourne: { expression: "cron(0 4 * * ? *)", timeZone: "Australia/Melbourne" },
          quarters: { expression: "cron(0/15 0-3 * * ? *)", timeZone: "Australia/Melbourne" },
          once: { expression: "at(2031-02-01T15:00:00)", timeZone: "Asia/Kolkata" },
          windowed: {
            ...utc("rate(1 hour)"),
            start: "2030-01-01T00:00:00Z",
            end: "2031-01-01T00:00Z",
            flexibleWindowMinutes: 15,
          },
        },
        maxLatenessMs: { melbourne: 60_000, quarters: 300_000, once: 3_600_000, windowed: 30 * 86_400_000 },
      }),
      aJob("switched-off", { enabled: false, retries: 0 }),
    ]);
  });

  const schedule = (name: string, properties: object) =>
    template.hasResourceProperties("AWS::Scheduler::Schedule", { Name: name, ...properties });

  test("TZ-11, TZ-14: each becomes one schedule, its text unchanged, with its zone", () => {
    expect(Object.keys(jobSchedules(template))).toHaveLength(5);
    const zone = "Australia/Melbourne";
    schedule("several.melbourne", { ScheduleExpression: "cron(0 4 * * ? *)", ScheduleExpressionTimezone: zone });
    schedule("several.quarters", { ScheduleExpression: "cron(0/15 0-3 * * ? *)", ScheduleExpressionTimezone: zone });
    schedule("several.once", {
      ScheduleExpression: "at(2031-02-01T15:00:00)",
      ScheduleExpressionTimezone: "Asia/Kolkata",
    });
  });

  test("carry their start, their end and their window", () => {
    schedule("several.windowed", {
      ScheduleExpression: "rate(1 hour)",
      ScheduleExpressionTimezone: "UTC",
      StartDate: "2030-01-01T00:00:00.000Z",
      EndDate: "2031-01-01T00:00:00.000Z",
      FlexibleTimeWindow: { Mode: "FLEXIBLE", MaximumWindowInMinutes: 15 },
    });
  });

  test.each([
    ["several.melbourne", 60],
    ["several.quarters", 300],
    ["several.once", 3600],
    ["several.windowed", 86_400],
  ])("%s is delivered for %i seconds at most: its lateness, within what AWS allows", (name, seconds) => {
    schedule(name, { Target: { RetryPolicy: { MaximumEventAgeInSeconds: seconds } } });
  });

  test("SC-08: of a job that is not enabled are there, and disabled", () => {
    schedule("switched-off", { State: "DISABLED" });
    schedule("several.once", { State: "ENABLED" });
  });

  test("RT-01: both layers of retries are stated, whatever the job's own retries are", () => {
    template.allResourcesProperties("AWS::Scheduler::Schedule", {
      Target: { RetryPolicy: { MaximumRetryAttempts: 185 } },
    });
    // Two jobs, the dispatcher and the watchdog.
    template.resourceCountIs("AWS::Lambda::EventInvokeConfig", 4);
    template.allResourcesProperties("AWS::Lambda::EventInvokeConfig", {
      MaximumRetryAttempts: 2,
      MaximumEventAgeInSeconds: 21_600,
    });
  });

  test("SE-07: their input is a few hundred bytes of valid JSON, far below the 256 KB that AWS allows", () => {
    for (const { Properties } of Object.values(jobSchedules(template))) {
      expect(JSON.parse(Properties.Target.Input)).toHaveProperty("escapement.scheduledTime");
      expect(Properties.Target.Input.length).toBeLessThan(400);
    }
  });

  test("come with a warning where one is due, that names file and schedule", () => {
    const stack = aStack([aJob("odd", { schedules: { default: utc("cron(0 0 30 2 ? *)") } })]);
    Annotations.fromStack(stack).hasWarning(
      "/Escapement-dev/Fleet/Jobs/odd",
      Match.stringLikeRegexp('job\\.ts, schedule "default": .*\\[ack: escapement:'),
    );
  });

  test("CD-12: a changed expression changes one property, neither the id nor the name", () => {
    const version = (expression: string) =>
      jobSchedules(synthesize([aJob("sync", { schedules: { default: utc(expression) } })]));
    const [before, after] = [version("rate(1 hour)"), version("rate(2 hours)")];
    const [id = ""] = Object.keys(before);
    expect(Object.keys(after)).toEqual([id]);
    expect(after[id]?.["Properties"]).toEqual({
      ...before[id]?.["Properties"],
      ScheduleExpression: "rate(2 hours)",
      Description: expect.stringMatching(/^sync: .*2 hours/),
    });
  });
});

describe("a fleet", () => {
  test("CD-06: one job with 60 schedules needs no permission for each, and one role for all", () => {
    const schedules = Object.fromEntries(
      Array.from({ length: 60 }, (_, minute) => [`minute-${minute}`, utc(`cron(${minute} * * * ? *)`)]),
    );
    const maxLatenessMs = Object.fromEntries(Object.keys(schedules).map((name) => [name, 300_000]));
    const template = synthesize([aJob("busy", { schedules, maxLatenessMs })]);
    expect(Object.keys(jobSchedules(template))).toHaveLength(60);
    // The one of the Run Requested rule.
    template.resourceCountIs("AWS::Lambda::Permission", 1);
    const roles = Object.values(jobSchedules(template)).map(
      ({ Properties }) => Properties.Target.RoleArn["Fn::GetAtt"][0],
    );
    expect(new Set(roles).size).toBe(1);
  });

  test("SC-06: 30 jobs reserve no concurrency", () => {
    const jobs = Array.from({ length: 30 }, (_, index) => aJob(`job-${index}`));
    const template = synthesize(jobs);
    // And the dispatcher and the watchdog.
    template.resourceCountIs("AWS::Lambda::Function", 32);
    template.allResourcesProperties("AWS::Lambda::Function", { ReservedConcurrentExecutions: Match.absent() });
  });

  test("CD-21: takes job names that are CDK's own words, and names that differ by a dash", () => {
    const names = ["default", "resource", "table", "run-table", "runtable", "a-b", "ab"];
    const template = synthesize(names.map((name) => aJob(name)));
    template.resourceCountIs("AWS::Lambda::Function", names.length + 2);
    expect(Object.keys(jobSchedules(template))).toHaveLength(names.length);
  });

  test("CD-01, CD-22: stays within every limit with the longest names there are", () => {
    const job = aJob("j".repeat(64), {
      schedules: { [`s${"x".repeat(63)}`]: utc("rate(1 hour)") },
      maxLatenessMs: { [`s${"x".repeat(63)}`]: 300_000 },
    });
    // With "Escapement-" a stack name of 128 characters, the longest of CloudFormation.
    const template = synthesize([job], "s".repeat(117));
    const resources = JSON.stringify(template.toJSON()["Resources"]);
    const named: [string, string][] = [
      ["AWS::Lambda::Function", "FunctionName"],
      ["AWS::Scheduler::ScheduleGroup", "Name"],
      ["AWS::Scheduler::Schedule", "Name"],
      ["AWS::Scheduler::Schedule", "GroupName"],
    ];
    for (const [type, property] of named) {
      const found = Object.values(template.findResources(type)).map(({ Properties }) => Properties[property]);
      expect(found.length).toBeGreaterThan(0);
      for (const name of found) expect(name).toMatch(/^[0-9a-zA-Z_.-]{1,64}$/);
    }
    for (const { Properties } of Object.values(template.findResources("AWS::Logs::QueryDefinition"))) {
      expect(Properties.Name.length).toBeLessThanOrEqual(255);
    }
    // All other names are CloudFormation's, but for those of managed policies, which names.test.ts counts.
    for (const type of ["AWS::CloudWatch::Alarm", "AWS::SQS::Queue", "AWS::DynamoDB::GlobalTable", "AWS::IAM::Role"]) {
      for (const { Properties } of Object.values(template.findResources(type))) {
        expect(Object.keys(Properties).filter((key) => /^(Alarm|Queue|Table|Role)Name$/.test(key))).toEqual([]);
      }
    }
    for (const [, sid = ""] of resources.matchAll(/"Sid":"([^"]+)"/g)) expect(sid.length).toBeLessThanOrEqual(100);
    expect(resources).toContain(`"Description":"${"j".repeat(64)}: `);
  });

  test("gives a job by its name, and tells the one that was likely meant", () => {
    const stack = aStack([aJob("nightly-report"), aJob("hourly-sync")]);
    expect(stack.fleet.job("nightly-report").functionName).toBe("Escapement-dev_nightly-report");
    expect(() => stack.fleet.job("nigthly-report")).toThrow(
      'Escapement-dev/Fleet has no job "nigthly-report". Did you mean "nightly-report"? Its jobs: nightly-report, hourly-sync.',
    );
  });

  test("refuses two jobs of one name, the dispatcher's name, one that the CDK cannot use, and no jobs at all", () => {
    const make =
      (...names: string[]) =>
      () =>
        synthesize(names.map((name) => aJob(name, { file: `functions/${name}.ts` })));
    expect(make("nightly", "nightly")).toThrow(
      'functions/nightly.ts: functions/nightly.ts is the job "nightly" already.',
    );
    expect(make("dispatcher")).toThrow(
      /functions\/dispatcher\.ts: "dispatcher" is the name of the fleet's own dispatcher/,
    );
    expect(make("constructor")).toThrow(
      new SynthError('functions/constructor.ts: "constructor" is a name that the CDK cannot use. Choose another.'),
    );
    expect(make()).toThrow(SynthError);
  });

  test("refuses a second fleet in a stack, whose names would be the first one's", () => {
    const stack = aStack([aJob("nightly")]);
    expect(() => new ScheduledFunctions(stack, "More", { jobs: [aJob("hourly")] })).toThrow(
      new SynthError(
        "Escapement-dev/More: the stack Escapement-dev has the fleet Escapement-dev/Fleet already, and holds one. Give that one all the jobs, or put this one into a stack of its own.",
      ),
    );
  });
});

import { Stack } from "aws-cdk-lib";
import { Match, Template } from "aws-cdk-lib/assertions";
import { Topic } from "aws-cdk-lib/aws-sns";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ScheduledFunctionsStack } from "../../lib/infra/index.ts";
import { countingStore } from "../../lib/lambda/counting-store.ts";
import { handler as dispatcher } from "../../lib/lambda/dispatcher.ts";
import { createMetrics, createWatchMetrics } from "../../lib/lambda/metrics.ts";
import { scheduledIn } from "../../lib/lambda/scheduled.ts";
import { lookAtFleet } from "../../lib/lambda/watchdog/look-at-fleet.ts";
import { begin } from "../../lib/run/index.ts";
import { cron } from "../../lib/schedule/index.ts";
import { perform } from "../../lib/store/index.ts";
import { lambdaContext, occurrence, openTable, type TestTable, testRuntime } from "../lambda/harness.ts";
import { delivery, rates, watchdogScene } from "../lambda/watchdog-scene.ts";
import { aJob, anApp, synthesize } from "./fleet.ts";

const FLEET = "Escapement-dev";

interface Alarm {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions: readonly { readonly Name: string; readonly Value: unknown }[];
  readonly AlarmActions?: unknown;
  readonly TreatMissingData: string;
  readonly EvaluationPeriods: number;
  readonly Period: number;
}

function alarmsOf(template: Template): Alarm[] {
  return Object.values(template.findResources("AWS::CloudWatch::Alarm")).map(({ Properties }) => Properties);
}

/** `Namespace Name {dimension=value, …}`: what has to be the same for an alarm to see a metric. */
function metricText(namespace: string, name: string, dimensions: readonly (readonly [string, unknown])[]): string {
  const values = dimensions.map(([dimension, value]) => `${dimension}=${value}`).sort();
  return `${namespace} ${name} {${values.join(", ")}}`;
}

describe("alarms", () => {
  let table: TestTable;
  let template: Template;
  beforeAll(async () => {
    table = await openTable();
    const stack = new ScheduledFunctionsStack(anApp(), FLEET, {
      stage: "dev",
      jobs: [aJob("nightly", { alarms: true }), aJob("hourly")],
    });
    template = Template.fromStack(stack);
  });
  afterAll(() => table.close());

  test("are about the very metrics that real runs, the watchdog and the dispatcher emit", async () => {
    const emitted = await whatIsEmitted(table);
    const ours = alarmsOf(template).filter(({ Namespace }) => Namespace === "Escapement");
    const watched = ours.map(({ Namespace, MetricName, Dimensions }) =>
      metricText(
        Namespace,
        MetricName,
        Dimensions.map(({ Name, Value }) => [Name, Value]),
      ),
    );
    expect(watched.filter((metric) => !emitted.has(metric))).toEqual([]);
    expect(watched.sort()).toEqual([
      "Escapement Looks {fleet=Escapement-dev}",
      "Escapement MissedRuns {fleet=Escapement-dev, job=nightly}",
      "Escapement MissedRuns {fleet=Escapement-dev}",
      "Escapement RejectedRequests {fleet=Escapement-dev}",
      "Escapement Runs {fleet=Escapement-dev, job=nightly, status=FAILED}",
      "Escapement Runs {fleet=Escapement-dev, job=nightly, status=LOST}",
      "Escapement Runs {fleet=Escapement-dev, job=nightly, status=TIMED_OUT}",
      "Escapement Runs {fleet=Escapement-dev, status=FAILED}",
      "Escapement Runs {fleet=Escapement-dev, status=LOST}",
      "Escapement Runs {fleet=Escapement-dev, status=TIMED_OUT}",
      "Escapement UnwatchedJobs {fleet=Escapement-dev}",
    ]);
  });

  // https://docs.aws.amazon.com/scheduler/latest/UserGuide/monitoring-cloudwatch.html and SQS's available metrics
  test("of AWS's own metrics name them as AWS documents them", () => {
    const others = alarmsOf(template).filter(({ Namespace }) => Namespace !== "Escapement");
    expect(others.map(({ Namespace, MetricName }) => `${Namespace} ${MetricName}`).sort()).toEqual([
      "AWS/SQS ApproximateNumberOfMessagesVisible",
      "AWS/Scheduler InvocationDroppedCount",
      "AWS/Scheduler InvocationThrottleCount",
    ]);
    const queue = { "Fn::GetAtt": [expect.stringMatching(/^FleetDeadLetterQueue/), "QueueName"] };
    for (const { Namespace, Dimensions } of others) {
      const expected =
        Namespace === "AWS/SQS" ? { Name: "QueueName", Value: queue } : { Name: "ScheduleGroup", Value: FLEET };
      expect(Dimensions).toEqual([expected]);
    }
  });

  test("begin at once, and that of the watchdog when it has not looked for 15 minutes", () => {
    for (const alarm of alarmsOf(template)) {
      const isSilence = alarm.MetricName === "Looks";
      const isAboutWatchdog = isSilence || alarm.MetricName === "UnwatchedJobs";
      expect(alarm).toMatchObject({
        Threshold: 1,
        Period: 300,
        EvaluationPeriods: isAboutWatchdog ? 3 : 1,
        TreatMissingData: isSilence ? "breaching" : "notBreaching",
        ComparisonOperator: isSilence ? "LessThanThreshold" : "GreaterThanOrEqualToThreshold",
      });
    }
  });

  test("tell a topic that is given, and else nobody", () => {
    expect(alarmsOf(template).filter(({ AlarmActions }) => AlarmActions !== undefined)).toEqual([]);
    const app = anApp();
    const topics = new Stack(app, "Topics");
    const stack = new ScheduledFunctionsStack(app, FLEET, {
      stage: "dev",
      jobs: [aJob("nightly", { alarms: true })],
      alarmTopic: Topic.fromTopicArn(topics, "Topic", "arn:aws:sns:eu-central-1:123456789012:alarms"),
    });
    const alarms = Object.values(Template.fromStack(stack).findResources("AWS::CloudWatch::Alarm"));
    expect(alarms.length).toBe(14);
    for (const { Properties } of alarms) {
      const told = ["arn:aws:sns:eu-central-1:123456789012:alarms"];
      expect(Properties).toMatchObject({ AlarmActions: told, OKActions: told });
    }
  });

  test("and the watchdog's looks are none where nothing is switched on", () => {
    const preview = synthesize([aJob("nightly")], "preview");
    expect(alarmsOf(preview).map(({ MetricName }) => MetricName)).not.toContain("Looks");
    preview.hasResourceProperties("AWS::Scheduler::Schedule", { Name: "watchdog", State: "DISABLED" });
  });
});

describe("the dashboard", () => {
  test("has a list of the jobs that have run, to choose the one that is shown", () => {
    const template = synthesize([aJob("nightly"), aJob("hourly")]);
    template.resourceCountIs("AWS::CloudWatch::Dashboard", 1);
    const [dashboard] = Object.values(template.findResources("AWS::CloudWatch::Dashboard"));
    const body = JSON.stringify(dashboard?.["Properties"].DashboardBody);
    const parts = JSON.parse(body)["Fn::Join"][1].map((part: unknown) => (typeof part === "string" ? part : "…"));
    const { widgets, variables } = JSON.parse(parts.join(""));
    expect(variables).toMatchObject([
      {
        type: "property",
        property: "job",
        inputType: "select",
        search: '{Escapement,fleet,job} MetricName="DurationMs"',
        populateFrom: "job",
      },
    ]);
    expect(widgets.map(({ properties }: { properties: { title: string } }) => properties.title)).toEqual([
      "Runs of all jobs",
      "Delivery",
      "Runs of the job",
      "Duration of the job's runs, ms",
      "Lateness of the job's runs, ms",
      "Occurrences of the job without a run",
    ]);
  });
});

test("queries of the logs are saved under the fleet's name", () => {
  const template = synthesize([aJob("nightly")]);
  const queries = Object.values(template.findResources("AWS::Logs::QueryDefinition"));
  expect(queries.map(({ Properties }) => Properties.Name).sort()).toEqual([
    "Escapement-dev/Failed attempts",
    "Escapement-dev/One run",
    "Escapement-dev/Skipped occurrences",
    "Escapement-dev/Slowest attempts",
  ]);
});

test("the watchdog looks every five minutes, ends before the next look, and leaves what it cannot do to that one", () => {
  const template = synthesize([aJob("nightly")]);
  template.hasResourceProperties("AWS::Scheduler::Schedule", {
    Name: "watchdog",
    GroupName: FLEET,
    ScheduleExpression: "rate(5 minutes)",
    State: "ENABLED",
    Target: { RetryPolicy: { MaximumEventAgeInSeconds: 300 }, DeadLetterConfig: Match.anyValue() },
  });
  template.hasResourceProperties("AWS::Lambda::Function", {
    FunctionName: "Escapement-dev_watchdog",
    Timeout: 240,
    MemorySize: 512,
    Environment: { Variables: { ESCAPEMENT_TABLE: Match.anyValue() } },
  });
});

/** Runs the real middleware to each of its ends, a look of the watchdog, and a refused request; and reads what they print. */
async function whatIsEmitted(table: TestTable): Promise<Set<string>> {
  const printed: string[] = [];
  const stdout = vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    printed.push(...String(chunk).split("\n").filter(Boolean));
    return true;
  });
  try {
    await succeedFailAndTimeOut(table);
    await loseOne(table);
    const nightly = { ...rates, job: "nightly" };
    const scene = watchdogScene(table, [nightly]);
    await scene.look("00:00");
    scene.now("00:21");
    await lookAtFleet({ ...scene.watchdog(), metrics: createWatchMetrics(FLEET) }, () => true);
    Object.assign(globalThis, { ESCAPEMENT_MANIFEST: { fleet: FLEET, jobs: {} } });
    await dispatcher({}).catch(() => {});
  } finally {
    stdout.mockRestore();
  }
  return new Set(printed.flatMap(metricsIn));
}

/** A runtime whose metrics and store are the real ones, put together as they are deployed. */
function runtimeOf(table: TestTable) {
  const runtime = testRuntime(table, "2026-05-02T00:00:00Z", "nightly");
  const metrics = createMetrics(FLEET, "nightly");
  return { ...runtime, metrics, store: countingStore(runtime.store, metrics.lost) };
}

const options = { schedule: cron("0/15 * * * ? *"), retries: 0 } as const;

async function succeedFailAndTimeOut(table: TestTable): Promise<void> {
  const runtime = runtimeOf(table);
  const ends = [
    async () => ({ rows: 42 }),
    async () => {
      throw new Error("no rates today");
    },
    async (run: { signal: AbortSignal }) => {
      runtime.clock.advance(59_500);
      run.signal.throwIfAborted();
    },
  ];
  for (const [index, end] of ends.entries()) {
    const lambda = scheduledIn(() => runtime, options, end);
    const event = occurrence(new Date(runtime.clock.nowMs()).toISOString(), `execution-${index}`, "nightly");
    await lambda(event, lambdaContext(runtime.clock, `request-${index}`)).catch(() => {});
    runtime.clock.advance(15 * 60_000);
  }
}

/** One run dies with the lock; the next occurrence takes it over and records that. */
async function loseOne(table: TestTable): Promise<void> {
  const runtime = runtimeOf(table);
  await perform(begin(delivery("00:00", { job: "nightly" })), runtime.store);
  runtime.clock.advance(15 * 60_000);
  const lambda = scheduledIn(
    () => runtime,
    options,
    async () => ({}),
  );
  const event = occurrence("2026-05-02T00:15:00Z", "execution", "nightly");
  await lambda(event, lambdaContext(runtime.clock, "request"));
}

/** The metrics of one line, if it is in CloudWatch's embedded metric format, with each set of dimensions. */
function metricsIn(line: string): string[] {
  if (!line.startsWith("{")) return [];
  const fields = JSON.parse(line);
  const directives: { Namespace: string; Dimensions: string[][]; Metrics: { Name: string }[] }[] =
    fields["_aws"]?.CloudWatchMetrics ?? [];
  return directives.flatMap(({ Namespace, Dimensions, Metrics }) =>
    Metrics.flatMap(({ Name }) =>
      Dimensions.map((names) =>
        metricText(
          Namespace,
          Name,
          names.map((name) => [name, fields[name]]),
        ),
      ),
    ),
  );
}

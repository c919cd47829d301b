import { beforeAll, expect, test } from "vitest";
import { type DeployedResource, readAll, resourcesOf } from "./deployed-stack.ts";
import { PASSED_OVER } from "./passed-over.ts";

const account = "000000000000";
const region = "us-east-1";
const functionArn = (name: string) => `arn:aws:lambda:${region}:${account}:function:Escapement-dev_${name}`;

let resources: readonly DeployedResource[];
let readings: ReadonlyMap<string, unknown>;
let queueArn: string;
beforeAll(async () => {
  resources = await resourcesOf("Escapement-dev");
  readings = await readAll(resources);
  queueArn = `arn:aws:sqs:${region}:${account}:${physicalId("Fleet/DeadLetterQueue").split("/").at(-1)}`;
});

const physicalId = (path: string) => resources.find((resource) => resource.path === path)?.physicalId ?? "";
const roleArn = (path: string) => `arn:aws:iam::${account}:role/${physicalId(path)}`;

test("every resource of the template is there, and its service says so", () => {
  const missing = [...readings].filter(([, reading]) => reading === undefined).map(([path]) => path);
  expect(missing).toEqual([]);
});

test("the emulator passes over the types that are listed, and no others", () => {
  const passedOver = resources.filter(({ path }) => !readings.has(path)).map(({ type }) => type);
  expect(new Set(passedOver)).toEqual(new Set(Object.keys(PASSED_OVER)));
});

test("the run table has its keys, expiry, point-in-time recovery and encryption", () => {
  expect(readings.get("Fleet/RunTable/Table")).toMatchObject({
    keys: [
      { AttributeName: "pk", KeyType: "HASH" },
      { AttributeName: "sk", KeyType: "RANGE" },
    ],
    billing: "PAY_PER_REQUEST",
    encryption: { Status: "ENABLED", SSEType: "KMS" },
    deletionProtection: false,
    timeToLive: { TimeToLiveStatus: "ENABLED", AttributeName: "ttl" },
    recovery: "ENABLED",
  });
});

test("the schedules are in the stack's own group", () => {
  expect(readings.get("Fleet/ScheduleGroup")).toEqual({ Name: "Escapement-dev", State: "ACTIVE" });
});

/** A schedule that is later than `seconds` is late for its job (`maxLateness`, five minutes at least). */
const schedules = [
  { job: "sync-exchange-rates", expression: "rate(1 minute)", timeZone: "UTC", seconds: 300 },
  { job: "close-business-day", expression: "cron(30 2 * * ? *)", timeZone: "Europe/Berlin", seconds: 3600 },
  { job: "pay-commissions", expression: "cron(0 4 * * ? *)", timeZone: "UTC", seconds: 3600 },
  { job: "rebuild-search-index", expression: "cron(* * * * ? *)", timeZone: "UTC", seconds: 300 },
];
test.for(schedules)("the schedule of $job delivers each occurrence with its identity", (schedule) => {
  const { job, expression, timeZone, seconds } = schedule;
  const reading = readings.get(`Fleet/Jobs/${job}/Schedule-default`) as { Target: { Input: string } };
  expect(reading).toMatchObject({
    Name: job,
    GroupName: "Escapement-dev",
    ScheduleExpression: expression,
    ScheduleExpressionTimezone: timeZone,
    State: "ENABLED",
    FlexibleTimeWindow: { Mode: "OFF" },
    ActionAfterCompletion: "NONE",
    Target: {
      Arn: functionArn(job),
      RoleArn: roleArn("Fleet/SchedulerRole"),
      RetryPolicy: { MaximumEventAgeInSeconds: seconds, MaximumRetryAttempts: 185 },
      DeadLetterConfig: { Arn: queueArn },
    },
  });
  expect(JSON.parse(reading.Target.Input)).toEqual({
    escapement: {
      job,
      schedule: "default",
      scheduledTime: "<aws.scheduler.scheduled-time>",
      scheduleArn: "<aws.scheduler.schedule-arn>",
      executionId: "<aws.scheduler.execution-id>",
      attempt: "<aws.scheduler.attempt-number>",
    },
    input: {},
  });
});

const functions = [
  { job: "sync-exchange-rates", timeout: 30, tables: { EXCHANGE_RATES_TABLE: "ExchangeRates" } },
  {
    job: "close-business-day",
    timeout: 300,
    tables: { ORDERS_TABLE: "Orders", BUSINESS_DAYS_TABLE: "BusinessDays" },
  },
  { job: "pay-commissions", timeout: 120, tables: { ORDERS_TABLE: "Orders", BALANCES_TABLE: "Balances" } },
  {
    job: "rebuild-search-index",
    timeout: 100,
    tables: { CATALOG_TABLE: "Catalog", SEARCH_INDEX_TABLE: "SearchIndex" },
  },
];
test.for(functions)("the function of $job knows its job, its fleet and its tables", ({ job, timeout, tables }) => {
  const tableNames = Object.entries(tables).map(([variable, path]) => [variable, physicalId(path)]);
  expect(readings.get(`Fleet/Functions/${job}/Function`)).toMatchObject({
    FunctionName: `Escapement-dev_${job}`,
    Handler: "index.handler",
    Runtime: "nodejs24.x",
    Architectures: ["arm64"],
    Timeout: timeout,
    MemorySize: 256,
    Role: roleArn(`Fleet/Functions/${job}/Role`),
    LoggingConfig: { LogGroup: physicalId(`Fleet/Functions/${job}/Logs`) },
    Environment: {
      Variables: {
        ESCAPEMENT_JOB: job,
        ESCAPEMENT_FLEET: "Escapement-dev",
        ESCAPEMENT_TABLE: physicalId("Fleet/RunTable/Table"),
        ...Object.fromEntries(tableNames),
      },
    },
  });
});

test.for([...functions.map(({ job }) => `Functions/${job}`), "Dispatcher"])(
  "%s is tried three times, then is a dead letter",
  (name) => {
    expect(readings.get(`Fleet/${name}/Function/EventInvokeConfig`)).toEqual({
      MaximumRetryAttempts: 2,
      MaximumEventAgeInSeconds: 21_600,
      DestinationConfig: { OnFailure: { Destination: queueArn } },
    });
    expect(readings.get(`Fleet/${name}/Logs`)).toMatchObject({ retentionInDays: 90 });
  },
);

test("a rule takes the requests for this stack to the dispatcher, which lets that rule call it", () => {
  expect(readings.get("Fleet/Dispatcher/RunRequested")).toEqual({
    State: "ENABLED",
    EventPattern: {
      source: ["escapement"],
      "detail-type": ["Run Requested"],
      detail: { stack: ["Escapement-dev"] },
    },
    Targets: [
      {
        Id: "Target0",
        Arn: functionArn("dispatcher"),
        RetryPolicy: { MaximumEventAgeInSeconds: 3600, MaximumRetryAttempts: 185 },
        DeadLetterConfig: { Arn: queueArn },
      },
    ],
  });
  const ruleArn = `arn:aws:events:${region}:${account}:rule/${physicalId("Fleet/Dispatcher/RunRequested")}`;
  expect(readings.get("Fleet/Dispatcher/Function/RunRequested")).toMatchObject({
    Statement: [
      {
        Effect: "Allow",
        Principal: { Service: "events.amazonaws.com" },
        Action: "lambda:InvokeFunction",
        Condition: { ArnLike: { "AWS:SourceArn": ruleArn } },
      },
    ],
  });
});

test("dead letters stay two weeks, encrypted, and are refused without TLS", () => {
  expect(readings.get("Fleet/DeadLetterQueue")).toEqual({
    MessageRetentionPeriod: "1209600",
    SqsManagedSseEnabled: "true",
  });
  expect(readings.get("Fleet/DeadLetterQueue/Policy")).toMatchObject({
    Statement: expect.arrayContaining([
      expect.objectContaining({ Effect: "Deny", Condition: { Bool: { "aws:SecureTransport": "false" } } }),
    ]),
  });
});

test("the watchdog looks every five minutes", () => {
  expect(readings.get("Fleet/Watchdog/Schedule")).toMatchObject({
    Name: "watchdog",
    GroupName: "Escapement-dev",
    ScheduleExpression: "rate(5 minutes)",
    State: "ENABLED",
    Target: {
      Arn: functionArn("watchdog"),
      RoleArn: roleArn("Fleet/Watchdog/SchedulerRole"),
      Input: '{"escapement":{"watchdog":"Escapement-dev"}}',
      DeadLetterConfig: { Arn: queueArn },
    },
  });
});

const fleet = { Name: "fleet", Value: "Escapement-dev" };
const group = { Name: "ScheduleGroup", Value: "Escapement-dev" };
const alarms = [
  { id: "Failed", namespace: "Escapement", metric: "Runs", dimensions: [fleet, { Name: "status", Value: "FAILED" }] },
  { id: "Lost", namespace: "Escapement", metric: "Runs", dimensions: [fleet, { Name: "status", Value: "LOST" }] },
  { id: "Missed", namespace: "Escapement", metric: "MissedRuns", dimensions: [fleet] },
  { id: "Dropped", namespace: "AWS/Scheduler", metric: "InvocationDroppedCount", dimensions: [group] },
];
test.for(alarms)("the alarm $id goes off at the first $metric in five minutes", (alarm) => {
  expect(readings.get(`Fleet/Alarms/${alarm.id}`)).toMatchObject({
    Namespace: alarm.namespace,
    MetricName: alarm.metric,
    Dimensions: alarm.dimensions,
    Statistic: "Sum",
    Period: 300,
    Threshold: 1,
    ComparisonOperator: "GreaterThanOrEqualToThreshold",
    TreatMissingData: "notBreaching",
  });
});

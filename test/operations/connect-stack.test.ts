import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { clockFinding } from "../../lib/operations/aws-checks.ts";
import { connectStack, diagnose } from "../../lib/operations/index.ts";
import { type FakeAws, startFakeAws } from "./fake-aws.ts";
import { FLEET, nightly, openFleet, TABLE } from "./fleet.ts";

let fleet: Awaited<ReturnType<typeof openFleet>>;
let aws: FakeAws;
const open = () => connectStack({ stack: "Shop", region: "eu-central-1" });
const stub = (environment: Record<string, string | undefined>) => {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
};

beforeAll(async () => {
  fleet = await openFleet();
  aws = await startFakeAws();
  await fleet.register.putFleetJob(nightly, Date.now());
  aws.stacks.set("Shop", { FleetName: FLEET, RunTableName: TABLE, DeadLetterQueueUrl: `${aws.url}/123456789012/dead` });
  aws.stacks.set("Other", { Url: "https://example.com" });
  stub({
    AWS_ENDPOINT_URL: aws.url,
    AWS_ENDPOINT_URL_DYNAMODB: fleet.endpoint,
    AWS_ACCESS_KEY_ID: "key",
    AWS_SECRET_ACCESS_KEY: "secret",
    AWS_CONFIG_FILE: "/dev/null",
    AWS_SHARED_CREDENTIALS_FILE: "/dev/null",
    AWS_EC2_METADATA_DISABLED: "true",
    AWS_MAX_ATTEMPTS: "1",
  });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await aws.close();
  await fleet.close();
});
afterEach(() => {
  delete aws.error;
});

describe("a deployed stack", () => {
  test("is found by its outputs; the same operations work on it", async () => {
    const operations = await open();
    try {
      expect(operations.target).toEqual({
        kind: "stack",
        fleet: FLEET,
        stack: "Shop",
        region: "eu-central-1",
        running: true,
      });
      expect(await operations.list()).toMatchObject([{ job: "nightly", state: "idle" }]);
      expect(await operations.whoAmI()).toBe("arn:aws:sts::123456789012:assumed-role/Operator/ada");

      const { runId } = await operations.trigger("nightly", { by: "ada" });
      expect(aws.invocations.at(-1)).toMatchObject({
        functionName: "shop-dev-nightly",
        payload: { escapement: { job: "nightly", request: { id: runId.split("#")[2] } } },
      });
    } finally {
      await operations.close();
    }
  });

  test("names where a run's log is", async () => {
    const runId = "2026-05-02T00:30:00.000Z#manual#log";
    await fleet.run(
      Date.UTC(2026, 4, 2, 0, 30),
      { runId, logGroup: "Shop-nightly-Logs", logStream: "2026/05/02/[$LATEST]abc" },
      { status: "SUCCEEDED" },
    );
    const operations = await open();

    expect((await operations.run("nightly", runId)).log).toBe(
      "https://eu-central-1.console.aws.amazon.com/cloudwatch/home?region=eu-central-1#logsV2:log-groups/log-group/Shop-nightly-Logs/log-events/2026$252F05$252F02$252F$255B$2524LATEST$255Dabc",
    );
    aws.logEvents.push({
      logStreamName: "2026/05/02/abc",
      timestamp: Date.UTC(2026, 4, 2),
      message: `{"runId":"${runId}"}\n`,
    });
    expect(await operations.logs("nightly", { runId })).toEqual([
      { stream: "2026/05/02/abc", at: "2026-05-02T00:00:00Z", text: `{"runId":"${runId}"}` },
    ]);
    const { requestId } = await operations.run("nightly", runId);
    // Lambda's own lines, such as the one with an error's stack, say the request alone.
    expect(aws.filters.at(-1)).toBe(`?"\\"${runId}\\"" ?"${requestId}"`);
    await operations.close();
  });
});

describe("doctor", () => {
  const berlin = { ScheduleExpression: "cron(30 2 * * ? *)", ScheduleExpressionTimezone: "Europe/Berlin" };
  const alarm = {
    AlarmName: "Shop-FleetAlarmsFailed",
    AlarmDescription: "shop-dev: attempts failed",
    ActionsEnabled: true,
    AlarmActions: ["arn:aws:sns:eu-central-1:123456789012:ops"],
    StateValue: "OK",
  };
  const findings = async () => (await diagnose(open)).findings;
  afterEach(() => {
    aws.schedules.length = 0;
    aws.alarms.length = 0;
    delete aws.denied;
  });

  test("checks clock, expiry and dead letters", async () => {
    aws.messages.push({ MessageId: "m1", Body: "{}" });
    const { target, findings } = await diagnose(open);

    expect(target).toMatchObject({ stack: "Shop" });
    expect(findings).toContainEqual({ check: "clock", level: "ok", message: "agrees with AWS" });
    expect(findings).toContainEqual(expect.objectContaining({ check: "expiry", level: "warning" }));
    expect(findings).toContainEqual(
      expect.objectContaining({ check: "dead letters", message: "events that failed for good: 1" }),
    );
  });

  test.each([
    [{ ...berlin, State: "DISABLED" }, "its schedule nightly is disabled in EventBridge, against its code"],
    [
      { ...berlin, ScheduleExpressionTimezone: "UTC", State: "ENABLED" },
      "its schedule nightly is cron(30 2 * * ? *) UTC in EventBridge, and cron(30 2 * * ? *) Europe/Berlin in its code",
    ],
    [undefined, "its schedule nightly is gone from EventBridge"],
  ])("fails where a schedule was changed in the console: %j", async (schedule, message) => {
    if (schedule) aws.schedules.push({ Name: "nightly", ...schedule });

    expect(await findings()).toContainEqual(
      expect.objectContaining({
        check: "job nightly",
        level: "failed",
        message,
        advice: expect.stringContaining("Deploy"),
      }),
    );
  });

  test("is content with schedules as they were deployed, and alarms that tell somebody", async () => {
    aws.schedules.push({ Name: "nightly", ...berlin, State: "ENABLED" });
    aws.alarms.push(alarm, { ...alarm, AlarmDescription: "shop-development: another fleet's", AlarmActions: [] });
    const found = await findings();

    expect(found).toContainEqual({ check: "schedules", level: "ok", message: "as the stack declares them" });
    expect(found).toContainEqual({ check: "alarms", level: "ok", message: "all 1 tell somebody" });
  });

  test.each([
    ["no action", { AlarmActions: [] }, "1 of 2 tell nobody, such as Shop-FleetAlarmsFailed"],
    ["actions that are switched off", { ActionsEnabled: false }, "1 of 2 tell nobody, such as Shop-FleetAlarmsFailed"],
    ["been raised", { StateValue: "ALARM" }, "raised: shop-dev: attempts failed"],
  ])("warns of an alarm that has %s", async (_what, change, message) => {
    aws.alarms.push({ ...alarm, ...change }, { ...alarm, AlarmName: "Shop-other" });

    expect(await findings()).toContainEqual(expect.objectContaining({ check: "alarms", level: "warning", message }));
  });

  test("warns of a stack whose alarms are gone", async () => {
    expect(await findings()).toContainEqual(
      expect.objectContaining({ check: "alarms", level: "warning", message: "the stack has none" }),
    );
  });

  test.each([
    [[], "ok", "arn:aws:sts::123456789012:assumed-role/Operator/ada may look and act"],
    [
      ["dynamodb:PutItem", "lambda:InvokeFunction"],
      "ok",
      "arn:aws:sts::123456789012:assumed-role/Operator/ada may look, and not act: no dynamodb:PutItem, lambda:InvokeFunction",
    ],
  ])("says what the caller may not do: %j", async (denied, level, message) => {
    aws.denied = denied;

    expect(await findings()).toContainEqual(expect.objectContaining({ check: "permissions", level, message }));
  });

  test("says so where the caller may not ask what it may do", async () => {
    expect(await findings()).toContainEqual(
      expect.objectContaining({
        check: "permissions",
        level: "warning",
        message: expect.stringContaining("not known whether the caller may act: not authorized"),
        advice: expect.stringContaining("iam:SimulatePrincipalPolicy"),
      }),
    );
  });
});

test.each([
  [0, "ok", "agrees with AWS"],
  [5_999, "ok", "agrees with AWS"],
  [7_000, "warning", "this machine's clock is 6 s ahead of AWS's"],
  [-6_000, "warning", "this machine's clock is 6 s behind AWS's"],
])("a clock that reads %i ms more than AWS's whole second: %s", (aheadMs, level, message) => {
  expect(clockFinding(1_777_682_000_000, 1_777_682_000_000 + aheadMs)).toMatchObject({ level, message });
});

describe("what stands in the way is said, with what to do", () => {
  test.each([
    [{ stack: "Shpo" }, "NO_STACK", "--region and --profile"],
    [{ stack: "Other" }, "NO_STACK", "has no output FleetName, RunTableName, DeadLetterQueueUrl"],
  ])("%j", async (options, code, reason) => {
    await expect(connectStack({ region: "eu-central-1", ...options })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(reason),
    });
  });

  test.each([
    ["ExpiredToken", "The security token included in the request is expired", "CREDENTIALS_EXPIRED", "aws sso login"],
    [
      "AccessDenied",
      "User: ada is not authorized to perform: cloudformation:DescribeStacks",
      "ACCESS_DENIED",
      "DescribeStacks",
    ],
    ["Throttling", "Rate exceeded", "AWS_FAILED", "Rate exceeded"],
  ])("%s", async (code, message, meaning, reason) => {
    aws.error = { code, message };
    await expect(open()).rejects.toMatchObject({ code: meaning, message: expect.stringContaining(reason) });
  });

  test("a table that lets the caller only look: the permission that is missing", async () => {
    stub({ AWS_ENDPOINT_URL_DYNAMODB: aws.url });
    aws.tableError = {
      code: "AccessDeniedException",
      message: "User: ada is not authorized to perform: dynamodb:UpdateItem on resource: runs",
    };
    const operations = await open();
    await expect(operations.pause("nightly", { by: "ada", reason: "source down" })).rejects.toMatchObject({
      code: "ACCESS_DENIED",
      message: expect.stringContaining("the permission dynamodb:UpdateItem is missing; use credentials"),
    });
    await operations.close();
    delete aws.tableError;
    stub({ AWS_ENDPOINT_URL_DYNAMODB: fleet.endpoint });
  });

  test("no credentials", async () => {
    stub({ AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined });
    const found = open().catch((error: unknown) => error);

    expect(await found).toMatchObject({ code: "NO_CREDENTIALS", message: expect.stringContaining("--profile") });
    stub({ AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret" });
  });
});

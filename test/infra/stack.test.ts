import { Match, type Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, test } from "vitest";
import { aJob, synthesize } from "./fleet.ts";

describe("the stack of one job", () => {
  let template: Template;
  beforeAll(() => {
    template = synthesize([aJob("nightly", { description: "Sends the report" })]);
  });

  test("has a table with keys, TTL, encryption and point-in-time recovery, paid by request", () => {
    template.hasResourceProperties("AWS::DynamoDB::GlobalTable", {
      TableName: Match.absent(),
      KeySchema: [
        { AttributeName: "pk", KeyType: "HASH" },
        { AttributeName: "sk", KeyType: "RANGE" },
      ],
      AttributeDefinitions: [
        { AttributeName: "pk", AttributeType: "S" },
        { AttributeName: "sk", AttributeType: "S" },
      ],
      BillingMode: "PAY_PER_REQUEST",
      SSESpecification: { SSEEnabled: true },
      TimeToLiveSpecification: { AttributeName: "ttl", Enabled: true },
      Replicas: [Match.objectLike({ PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } })],
    });
  });

  test("has a schedule that gives the job its occurrence's identity", () => {
    template.hasResourceProperties("AWS::Scheduler::Schedule", {
      Name: "nightly",
      GroupName: "Escapement-dev",
      Description: Match.stringLikeRegexp("^nightly: "),
      ScheduleExpression: "cron(30 2 * * ? *)",
      ScheduleExpressionTimezone: "UTC",
      FlexibleTimeWindow: { Mode: "OFF" },
      State: "ENABLED",
      StartDate: Match.absent(),
      Target: {
        Arn: { "Fn::GetAtt": [Match.stringLikeRegexp("^FleetFunctionsnightlyFunction"), "Arn"] },
        Input: Match.serializedJson({
          escapement: {
            job: "nightly",
            schedule: "default",
            scheduledTime: "<aws.scheduler.scheduled-time>",
            scheduleArn: "<aws.scheduler.schedule-arn>",
            executionId: "<aws.scheduler.execution-id>",
            attempt: "<aws.scheduler.attempt-number>",
          },
          input: {},
        }),
        RetryPolicy: { MaximumEventAgeInSeconds: 3600, MaximumRetryAttempts: 185 },
      },
    });
  });

  test("creates a schedule only when the rights and the retries of its first occurrence are in place", () => {
    const [schedule] = Object.values(template.findResources("AWS::Scheduler::Schedule"));
    const needed = ["FleetSchedulerRoleDefaultPolicy", "FleetFunctionsnightlyFunctionEventInvokeConfig"];
    for (const id of needed) expect(schedule?.["DependsOn"]).toContainEqual(expect.stringMatching(`^${id}`));
  });

  test("runs the job on Node 24 and arm64, with its timeout and what it has to know", () => {
    template.hasResourceProperties("AWS::Lambda::Function", {
      FunctionName: "Escapement-dev_nightly",
      Description: "Sends the report",
      Handler: "index.handler",
      Runtime: "nodejs24.x",
      Architectures: ["arm64"],
      MemorySize: 256,
      Timeout: 300,
      Environment: {
        Variables: {
          ESCAPEMENT_JOB: "nightly",
          ESCAPEMENT_FLEET: "Escapement-dev",
          ESCAPEMENT_TABLE: { Ref: Match.stringLikeRegexp("^FleetRunTable") },
          NODE_OPTIONS: "--enable-source-maps",
        },
      },
    });
  });

  test("keeps the logs of each function for as long as its run records, in a group of its own", () => {
    template.resourceCountIs("AWS::Logs::LogGroup", 3);
    template.allResourcesProperties("AWS::Logs::LogGroup", { RetentionInDays: 90, LogGroupName: Match.absent() });
    template.allResourcesProperties("AWS::Lambda::Function", { LoggingConfig: { LogGroup: Match.anyValue() } });
  });

  test("tells whoever reads the template the job's options", () => {
    template.hasResource("AWS::Lambda::Function", {
      Metadata: { "escapement:jobs": [Match.objectLike({ name: "nightly", retries: 2, overlap: "skip" })] },
    });
  });

  test("starts the job on a Run Requested event that names this stack, by way of the dispatcher", () => {
    template.hasResourceProperties("AWS::Events::Rule", {
      EventBusName: Match.absent(),
      EventPattern: {
        source: ["escapement"],
        "detail-type": ["Run Requested"],
        detail: { stack: ["Escapement-dev"] },
      },
      Targets: [
        Match.objectLike({ Arn: { "Fn::GetAtt": [Match.stringLikeRegexp("^FleetDispatcherFunction"), "Arn"] } }),
      ],
    });
    template.hasResourceProperties("AWS::Lambda::Function", { FunctionName: "Escapement-dev_dispatcher" });
  });

  test("RT-07: each way of failing ends in the one dead-letter queue", () => {
    const queue = { "Fn::GetAtt": [Match.stringLikeRegexp("^FleetDeadLetterQueue"), "Arn"] };
    template.allResourcesProperties("AWS::Scheduler::Schedule", { Target: { DeadLetterConfig: { Arn: queue } } });
    template.resourceCountIs("AWS::Lambda::EventInvokeConfig", 3);
    template.allResourcesProperties("AWS::Lambda::EventInvokeConfig", {
      DestinationConfig: { OnFailure: { Destination: queue } },
    });
    template.hasResourceProperties("AWS::Events::Rule", {
      Targets: [Match.objectLike({ DeadLetterConfig: { Arn: queue } })],
    });
  });

  test("encrypts dead letters and takes them over TLS alone", () => {
    template.hasResourceProperties("AWS::SQS::Queue", {
      SqsManagedSseEnabled: true,
      MessageRetentionPeriod: 1_209_600,
    });
    template.hasResourceProperties("AWS::SQS::QueuePolicy", {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({ Effect: "Deny", Condition: { Bool: { "aws:SecureTransport": "false" } } }),
        ]),
      },
    });
  });

  test("tells the command line where things are", () => {
    template.hasOutput("FleetName", { Value: "Escapement-dev", Export: Match.absent() });
    template.hasOutput("RunTableName", { Value: { Ref: Match.stringLikeRegexp("^FleetRunTable") } });
    template.hasOutput("DeadLetterQueueUrl", { Value: { Ref: Match.stringLikeRegexp("^FleetDeadLetterQueue") } });
  });

  test("keeps its logical ids: a changed one replaces the resource, and the table's data with it", () => {
    expect(Object.keys(template.toJSON()["Resources"]).sort()).toMatchInlineSnapshot(`
      [
        "FleetAlarmsDeadLetters85912B82",
        "FleetAlarmsDropped340B5C2C",
        "FleetAlarmsFailed92C39CEC",
        "FleetAlarmsLost48635ADC",
        "FleetAlarmsMissed3AB15807",
        "FleetAlarmsRejectedRequests52632615",
        "FleetAlarmsThrottled3F9A1A98",
        "FleetAlarmsTimedOutCC79027D",
        "FleetAlarmsUnwatched88432CDB",
        "FleetAlarmsWatchdogSilent74055B40",
        "FleetDashboardD8DA3B34",
        "FleetDeadLetterQueue7A8227A0",
        "FleetDeadLetterQueuePolicy6CAE6662",
        "FleetDispatcherFunction7E1E2D4F",
        "FleetDispatcherFunctionEventInvokeConfig4EB2A77E",
        "FleetDispatcherFunctionRunRequestedE88244EA",
        "FleetDispatcherLogs40D2F554",
        "FleetDispatcherRole557F669B",
        "FleetDispatcherRoleDefaultPolicy4D1B158D",
        "FleetDispatcherRunRequestedBB6228C9",
        "FleetFunctionsnightlyFunction3BC7EF31",
        "FleetFunctionsnightlyFunctionEventInvokeConfig3DE9B3CA",
        "FleetFunctionsnightlyLogs14EDB75A",
        "FleetFunctionsnightlyRole809BDDE4",
        "FleetFunctionsnightlyRoleDefaultPolicyB5BFC1C9",
        "FleetJobsnightlyScheduledefault9762B61E",
        "FleetLogQueriesFailedattempts92B61B86",
        "FleetLogQueriesOnerunDDA533B5",
        "FleetLogQueriesSkippedoccurrences5B399C52",
        "FleetLogQueriesSlowestattempts8CAD7919",
        "FleetOperatorPoliciesOperate02E8C57E",
        "FleetOperatorPoliciesRead35B95F51",
        "FleetRunTable3684B9D6",
        "FleetScheduleGroup061BF9BC",
        "FleetSchedulerRole8F1A4917",
        "FleetSchedulerRoleDefaultPolicy46E20E9C",
        "FleetWatchdogFunction1BDD3854",
        "FleetWatchdogFunctionEventInvokeConfig2CA22EBE",
        "FleetWatchdogLogs3277A368",
        "FleetWatchdogRole5857ADDB",
        "FleetWatchdogRoleDefaultPolicyF1F9BA08",
        "FleetWatchdogSchedule2B6EB529",
        "FleetWatchdogSchedulerRoleDefaultPolicyDB795397",
        "FleetWatchdogSchedulerRoleE1FDD645",
      ]
    `);
  });
});

/** A schedule's name has to be unique in its group, a policy's in its role. */
const namedWithinAnother = ["AWS::Scheduler::Schedule", "AWS::IAM::Policy"];

interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
}

describe("stages", () => {
  test.each(["dev", "preview", "preview-42"])("CD-09: what %s holds goes with the stack", (stage) => {
    const template = synthesize([aJob("nightly")], stage);
    template.hasResource("AWS::DynamoDB::GlobalTable", {
      DeletionPolicy: "Delete",
      Properties: { Replicas: [Match.objectLike({ DeletionProtectionEnabled: false })] },
    });
    template.allResources("AWS::Logs::LogGroup", { DeletionPolicy: "Delete" });
    template.allResources("AWS::SQS::Queue", { DeletionPolicy: "Delete" });
  });

  test("CD-09: what prod holds is kept, only its schedules go with the stack", () => {
    const template = synthesize([aJob("nightly")], "prod");
    template.hasResource("AWS::DynamoDB::GlobalTable", {
      DeletionPolicy: "Retain",
      UpdateReplacePolicy: "Retain",
      Properties: { Replicas: [Match.objectLike({ DeletionProtectionEnabled: true })] },
    });
    template.allResources("AWS::Logs::LogGroup", { DeletionPolicy: "Retain" });
    template.allResources("AWS::SQS::Queue", { DeletionPolicy: "Retain" });
    template.allResources("AWS::Scheduler::ScheduleGroup", { DeletionPolicy: "Delete" });
  });

  test("CD-03, SC-08: two stages in one account share no name and no partition", () => {
    const namesIn = (stage: string) => {
      const template = synthesize([aJob("nightly"), aJob("hourly")], stage);
      const resources = Object.values(template.toJSON()["Resources"] as Record<string, Resource>);
      const names = resources
        .filter(({ Type }) => !namedWithinAnother.includes(Type))
        .flatMap(({ Properties }) => Object.entries(Properties).filter(([key]) => /(?<!Metric)Name$/.test(key)))
        .map(([, name]) => name)
        .filter((name) => typeof name === "string");
      const [, partitions = ""] = /LeadingKeys":(\[.*?\])/.exec(JSON.stringify(resources)) ?? [];
      return [...names, partitions];
    };
    const dev = namesIn("dev");
    expect(dev.sort()).toEqual([
      "Escapement-dev",
      "Escapement-dev/Failed attempts",
      "Escapement-dev/One run",
      "Escapement-dev/Skipped occurrences",
      "Escapement-dev/Slowest attempts",
      "Escapement-dev_dispatcher",
      "Escapement-dev_hourly",
      "Escapement-dev_nightly",
      "Escapement-dev_watchdog",
      '["Escapement-dev#job#nightly"]',
    ]);
    expect(namesIn("prod").filter((name) => dev.includes(name))).toEqual([]);
  });
});

import { ArnFormat, Aws, Stack } from "aws-cdk-lib";
import { ManagedPolicy, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import { Construct, type IConstruct } from "constructs";
import { fleetFunctionsArn } from "./fleet-functions.ts";
import { grantKeyThrough } from "./key-rights.ts";
import { groupName, policyName, shardPrefix } from "./names.ts";
import type { RunTable } from "./run-table.ts";
import { acknowledgeWildcard } from "./wildcards.ts";

interface OperatorPoliciesProps {
  readonly fleetName: string;
  readonly table: RunTable;
  readonly deadLetterQueue: IQueue;
  readonly hasShards: boolean;
}

/**
 * Managed policies for the people of a fleet, exact for the commands of the CLI. `read` is for those that look; `operate`
 * has `read` in it, and what triggers, pauses, unlocks and resends.
 */
export class OperatorPolicies extends Construct {
  readonly read: ManagedPolicy;
  readonly operate: ManagedPolicy;

  constructor(scope: Construct, id: string, props: OperatorPoliciesProps) {
    super(scope, id);
    const { fleetName, table, deadLetterQueue } = props;
    this.read = this.#create("read", `Look at the scheduled functions of ${fleetName}`, props);
    this.operate = this.#create("operate", `Look at the scheduled functions of ${fleetName}, and operate them`, props);
    this.operate.addStatements(
      allow(["lambda:InvokeFunction"], fleetFunctionsArn(Stack.of(this), fleetName)),
      allow(["sqs:DeleteMessage"], deadLetterQueue.queueArn),
    );
    table.grantOperate(this.operate, fleetName);
  }

  #create(use: "read" | "operate", description: string, props: OperatorPoliciesProps): ManagedPolicy {
    const { fleetName, table, deadLetterQueue, hasShards } = props;
    const stack = Stack.of(this);
    const logs = [
      ...["Functions", "DispatcherLogs", "WatchdogLogs"].map(
        (id) => `${fleetName}-${idsIn(stack, this.node.scope)}${id}*`,
      ),
      ...(hasShards ? [`${shardPrefix(fleetName)}*`] : []),
    ].map((name) => logGroupArn(stack, name));
    const wild = {
      stack: stack.formatArn({ service: "cloudformation", resource: "stack", resourceName: `${fleetName}/*` }),
      functions: fleetFunctionsArn(stack, fleetName),
      schedules: stack.formatArn({
        service: "scheduler",
        resource: "schedule",
        resourceName: `${groupName(fleetName)}/*`,
      }),
    };
    const policy = new ManagedPolicy(this, use === "read" ? "Read" : "Operate", {
      managedPolicyName: policyName(fleetName, Aws.REGION, use),
      description,
      statements: [
        allow(["cloudformation:DescribeStacks"], wild.stack),
        allow(["lambda:GetFunctionConfiguration"], wild.functions),
        allow(["scheduler:GetSchedule"], wild.schedules),
        allow(["cloudwatch:DescribeAlarms"], "*"),
        // SQS shows a message to none but who receives it, and puts it back after a while.
        allow(["sqs:ReceiveMessage"], deadLetterQueue.queueArn),
        allow(["logs:FilterLogEvents"], ...logs),
      ],
    });
    table.grantRead(policy, fleetName);
    grantKeyThrough("sqs", deadLetterQueue.encryptionMasterKey, policy, ["kms:Decrypt"]);
    acknowledgeWildcard(policy, "*", "The right to list alarms is one on all of them: they are found by their names.");
    for (const arn of Object.values(wild)) {
      acknowledgeWildcard(
        policy,
        arn,
        "It is for all jobs of this fleet, whose names begin like this and no other's do.",
      );
    }
    for (const arn of logs) {
      acknowledgeWildcard(
        policy,
        arn,
        "It is for the logs of all jobs of this fleet, whose ends CloudFormation chooses.",
      );
    }
    return policy;
  }
}

function logGroupArn(stack: Stack, name: string): string {
  const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
  return stack.formatArn({ service: "logs", resource: "log-group", resourceName: name, arnFormat });
}

/** What the logical ids in a scope begin with, and so do, after the stack's name, those names that CloudFormation gives. */
function idsIn(stack: Stack, scope: IConstruct | undefined): string {
  const scopes = scope?.node.scopes ?? [];
  const ids = scopes.slice(scopes.indexOf(stack) + 1).map(({ node }) => node.id);
  return ids.join("").replace(/[^A-Za-z0-9]/g, "");
}

function allow(actions: string[], ...resources: string[]): PolicyStatement {
  return new PolicyStatement({ actions, resources });
}

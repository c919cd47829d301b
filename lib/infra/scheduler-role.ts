import { Stack } from "aws-cdk-lib";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { grantKeyOf } from "./dead-letter-queue.ts";
import { groupName } from "./names.ts";

/** Creates the role of EventBridge Scheduler in one stack: only for this fleet's schedules, and only for this stack's functions. */
export function createSchedulerRole(scope: Construct, fleetName: string, deadLetterQueue: IQueue): Role {
  const stack = Stack.of(scope);
  const group = stack.formatArn({
    service: "scheduler",
    resource: "schedule-group",
    resourceName: groupName(fleetName),
  });
  const role = new Role(scope, "SchedulerRole", {
    assumedBy: new ServicePrincipal("scheduler.amazonaws.com", {
      conditions: {
        StringEquals: { "aws:SourceAccount": stack.account, "aws:SourceArn": group },
      },
    }),
  });
  role.addToPolicy(new PolicyStatement({ actions: ["sqs:SendMessage"], resources: [deadLetterQueue.queueArn] }));
  grantKeyOf(deadLetterQueue, role);
  return role;
}

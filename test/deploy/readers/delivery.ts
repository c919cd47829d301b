import { DescribeRuleCommand, EventBridgeClient, ListTargetsByRuleCommand } from "@aws-sdk/client-eventbridge";
import { GetScheduleCommand, GetScheduleGroupCommand, SchedulerClient } from "@aws-sdk/client-scheduler";
import type { Reader } from "./index.ts";

const scheduler = new SchedulerClient();
const events = new EventBridgeClient();

/** Schedules and rules. */
export const deliveryReaders: Readonly<Record<string, Reader>> = {
  "AWS::Scheduler::ScheduleGroup": async ({ physicalId: Name }) => {
    const { State } = await scheduler.send(new GetScheduleGroupCommand({ Name }));
    return { Name, State };
  },
  "AWS::Scheduler::Schedule": async ({ physicalId: Name, properties }) => {
    const { GroupName } = properties as { GroupName: string };
    const {
      $metadata: _metadata,
      CreationDate: _creation,
      LastModificationDate: _modification,
      ...schedule
    } = await scheduler.send(new GetScheduleCommand({ Name, GroupName }));
    return schedule;
  },
  "AWS::Events::Rule": async ({ physicalId }) => {
    // On another bus than the account's own, the physical id is `bus|rule`.
    const [Name, EventBusName] = physicalId.split("|").reverse();
    const { EventPattern = "", State } = await events.send(new DescribeRuleCommand({ Name, EventBusName }));
    const { Targets } = await events.send(new ListTargetsByRuleCommand({ Rule: Name, EventBusName }));
    return { EventPattern: JSON.parse(EventPattern), State, Targets };
  },
};

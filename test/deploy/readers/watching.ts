import { CloudWatchClient, DescribeAlarmsCommand, GetDashboardCommand } from "@aws-sdk/client-cloudwatch";
import { CloudWatchLogsClient, DescribeLogGroupsCommand } from "@aws-sdk/client-cloudwatch-logs";
import type { Reader } from "./index.ts";

const cloudWatch = new CloudWatchClient();
const logs = new CloudWatchLogsClient();

/** Logs, alarms and dashboards. */
export const watchingReaders: Readonly<Record<string, Reader>> = {
  "AWS::Logs::LogGroup": async ({ physicalId: logGroupNamePrefix }) => {
    const { logGroups = [] } = await logs.send(new DescribeLogGroupsCommand({ logGroupNamePrefix }));
    const group = logGroups.find(({ logGroupName }) => logGroupName === logGroupNamePrefix);
    return group && { name: group.logGroupName, retentionInDays: group.retentionInDays };
  },
  "AWS::CloudWatch::Alarm": async ({ physicalId }) => {
    const { MetricAlarms: [alarm] = [] } = await cloudWatch.send(
      new DescribeAlarmsCommand({ AlarmNames: [physicalId] }),
    );
    if (!alarm) return undefined;
    const { MetricName, Namespace, Dimensions, Statistic, Period, EvaluationPeriods, Threshold } = alarm;
    const { ComparisonOperator, TreatMissingData, AlarmActions, Metrics } = alarm;
    const condition = { ComparisonOperator, Threshold, EvaluationPeriods, TreatMissingData };
    return { MetricName, Namespace, Dimensions, Statistic, Period, Metrics, ...condition, AlarmActions };
  },
  "AWS::CloudWatch::Dashboard": async ({ physicalId: DashboardName }) => {
    const { DashboardBody = "" } = await cloudWatch.send(new GetDashboardCommand({ DashboardName }));
    return JSON.parse(DashboardBody);
  },
};

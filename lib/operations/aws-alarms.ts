import { CloudWatchClient, type MetricAlarm, paginateDescribeAlarms } from "@aws-sdk/client-cloudwatch";
import { unchecked } from "./aws-checks.ts";
import type { AwsPlace } from "./aws-place.ts";
import type { Finding } from "./types.ts";

const check = "alarms";

/** Whether the fleet's alarms reach anybody, and whether one of them is raised now. */
export async function alarmFindings(place: AwsPlace, stack: string, fleet: string): Promise<Finding[]> {
  const client = new CloudWatchClient(place);
  try {
    const alarms: MetricAlarm[] = [];
    const query = { AlarmNamePrefix: `${stack}-`, AlarmTypes: ["MetricAlarm" as const] };
    for await (const { MetricAlarms = [] } of paginateDescribeAlarms({ client }, query)) alarms.push(...MetricAlarms);
    // The name of another stack may begin like this one's.
    const isOwn = ({ AlarmDescription = "" }: MetricAlarm) => /^[:,] /.test(AlarmDescription.slice(fleet.length));
    return judged(alarms.filter((alarm) => alarm.AlarmDescription?.startsWith(fleet) && isOwn(alarm)));
  } catch (error) {
    return [unchecked(check, error, `the alarms of ${fleet}`)];
  } finally {
    client.destroy();
  }
}

function judged(alarms: readonly MetricAlarm[]): Finding[] {
  const silent = alarms.filter(({ ActionsEnabled, AlarmActions = [] }) => !ActionsEnabled || AlarmActions.length === 0);
  const raised = alarms.filter(({ StateValue }) => StateValue === "ALARM");
  const warning = (message: string, advice: string): Finding => ({ check, level: "warning", message, advice });
  if (alarms.length === 0) return [warning("the stack has none", "Deploy the stack again: somebody has removed them.")];
  return [
    silent.length === 0
      ? { check, level: "ok", message: `all ${alarms.length} tell somebody` }
      : warning(
          `${silent.length} of ${alarms.length} tell nobody, such as ${silent[0]?.AlarmName}`,
          "Give the stack an alarmTopic, and enable their actions in CloudWatch where somebody has switched them off.",
        ),
    ...raised.map(({ AlarmDescription = "", StateUpdatedTimestamp }) =>
      warning(
        `raised${StateUpdatedTimestamp ? ` since ${StateUpdatedTimestamp.toISOString()}` : ""}: ${AlarmDescription}`,
        'The commands "list", "missed" and "dead-letters" show what it is about.',
      ),
    ),
  ];
}

import { Duration } from "aws-cdk-lib";
import {
  Dashboard,
  DashboardVariable,
  DefaultValue,
  GraphWidget,
  type IMetric,
  Stats,
  Values,
  VariableInputType,
  VariableType,
} from "aws-cdk-lib/aws-cloudwatch";
import type { IScheduleGroup } from "aws-cdk-lib/aws-scheduler";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { METRIC_NAMESPACE, METRICS } from "../lambda/metrics.ts";
import { countOf, type RunStatus, type SkipReason, timeOf } from "./metrics.ts";

const period = Duration.minutes(5);
const width = 12;
const ends: readonly RunStatus[] = ["SUCCEEDED", "FAILED", "TIMED_OUT", "LOST", "CANCELLED"];
const reasons: readonly SkipReason[] = ["overlap", "paused", "late"];

interface DashboardProps {
  readonly fleet: string;
  /** The job that is shown first. */
  readonly firstJob: string;
  readonly scheduleGroup: IScheduleGroup;
  readonly deadLetterQueue: IQueue;
}

/** One dashboard for a fleet of any size: the fleet as a whole, its delivery, and one job, which is chosen at the top. */
export function createDashboard(scope: Construct, id: string, props: DashboardProps): Dashboard {
  const { fleet, firstJob } = props;
  const ofJob = { fleet, job: firstJob };
  const dashboard = new Dashboard(scope, id, { defaultInterval: Duration.days(1), variables: [jobVariable(firstJob)] });
  dashboard.addWidgets(graph("Runs of all jobs", runsByStatus({ fleet })), graph("Delivery", deliveryMetrics(props)));
  dashboard.addWidgets(
    graph("Runs of the job", runsByStatus(ofJob)),
    graph("Duration of the job's runs, ms", [
      timeOf("durationMs", ofJob, { statistic: Stats.p(50), label: "p50" }),
      timeOf("durationMs", ofJob, { statistic: Stats.p(95), label: "p95" }),
    ]),
  );
  dashboard.addWidgets(
    graph("Lateness of the job's runs, ms", [
      timeOf("latenessMs", ofJob, { statistic: Stats.p(50), label: "p50" }),
      timeOf("latenessMs", ofJob, { statistic: Stats.p(95), label: "p95" }),
    ]),
    graph("Occurrences of the job without a run", [
      countOf("missedRuns", ofJob, { label: "missed" }),
      ...reasons.map((reason) => {
        return countOf("skipped", { ...ofJob, reason }, { label: `skipped: ${reason}` });
      }),
    ]),
  );
  return dashboard;
}

/** CloudWatch fills the list with the jobs that have run. */
function jobVariable(firstJob: string): DashboardVariable {
  return new DashboardVariable({
    id: "job",
    label: "Job",
    type: VariableType.PROPERTY,
    value: "job",
    inputType: VariableInputType.SELECT,
    values: Values.fromSearchComponents({
      namespace: METRIC_NAMESPACE,
      metricName: METRICS.durationMs.name,
      dimensions: [...METRICS.durationMs.dimensions[0]],
      populateFrom: "job",
    }),
    defaultValue: DefaultValue.value(firstJob),
    visible: true,
  });
}

function runsByStatus(dimensions: Record<string, string>): IMetric[] {
  return ends.map((status) => countOf("runs", { ...dimensions, status }, { label: status }));
}

function deliveryMetrics({ scheduleGroup, deadLetterQueue }: DashboardProps): IMetric[] {
  return [
    scheduleGroup.metricAttempts({ period, label: "attempts" }),
    scheduleGroup.metricTargetErrors({ period, label: "target errors" }),
    scheduleGroup.metricTargetThrottled({ period, label: "target throttled" }),
    scheduleGroup.metricThrottled({ period, label: "throttled" }),
    scheduleGroup.metricDropped({ period, label: "dropped" }),
    scheduleGroup.metricSentToDLQ({ period, label: "sent to dead letters" }),
    deadLetterQueue.metricApproximateNumberOfMessagesVisible({ period, label: "dead letters waiting" }),
  ];
}

function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width, leftYAxis: { min: 0, showUnits: false } });
}

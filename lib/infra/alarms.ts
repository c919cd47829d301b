import { Duration } from "aws-cdk-lib";
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { IScheduleGroup } from "aws-cdk-lib/aws-scheduler";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { countOf } from "./metrics.ts";

const period = Duration.minutes(5);

interface AlarmsProps {
  readonly fleet: string;
  /** Who is told; nobody, when absent: the alarms then only show. */
  readonly topic: ITopic | undefined;
}

interface FleetAlarmsProps extends AlarmsProps {
  readonly scheduleGroup: IScheduleGroup;
  readonly deadLetterQueue: IQueue;
  /** Whether the watchdog is switched on, and missed when it is silent. */
  readonly isWatched: boolean;
}

/** The alarms of a whole fleet: what went wrong with its runs, with their delivery, and with the watchdog that tells. */
export class FleetAlarms extends Construct {
  /** The underlying resources. */
  readonly nodes: { readonly alarms: readonly Alarm[] };

  constructor(scope: Construct, id: string, props: FleetAlarmsProps) {
    super(scope, id);
    const { fleet, scheduleGroup, deadLetterQueue } = props;
    const any = (id: string, what: string, metric: IMetric) => atLeastOne(this, id, `${fleet}: ${what}`, metric);
    const alarms = [
      ...outcomeAlarms(this, fleet, { fleet }),
      any("DeadLetters", "events are in the dead-letter queue", deadLettersOf(deadLetterQueue)),
      any("RejectedRequests", "run requests were refused", countOf("rejectedRequests", { fleet })),
      any("Dropped", "EventBridge Scheduler gave up delivering", scheduleGroup.metricDropped({ period })),
      any("Throttled", "EventBridge Scheduler was throttled", scheduleGroup.metricThrottled({ period })),
      ...(props.isWatched ? watchdogAlarms(this, fleet) : []),
    ];
    notify(alarms, props.topic);
    this.nodes = { alarms };
  }
}

/** The alarms of one job, for those that have `alarms: true`. */
export class JobAlarms extends Construct {
  /** The underlying resources. */
  readonly nodes: { readonly alarms: readonly Alarm[] };

  constructor(scope: Construct, id: string, { fleet, job, topic }: AlarmsProps & { readonly job: string }) {
    super(scope, id);
    const alarms = outcomeAlarms(this, `${fleet}, ${job}`, { fleet, job });
    notify(alarms, topic);
    this.nodes = { alarms };
  }
}

/** Runs that ended badly, or never began. */
function outcomeAlarms(scope: Construct, subject: string, dimensions: Record<string, string>): Alarm[] {
  const runs = (status: string) => countOf("runs", { ...dimensions, status });
  return [
    atLeastOne(scope, "Failed", `${subject}: attempts failed`, runs("FAILED")),
    atLeastOne(scope, "TimedOut", `${subject}: attempts ran out of time`, runs("TIMED_OUT")),
    atLeastOne(scope, "Lost", `${subject}: attempts ended without a result`, runs("LOST")),
    atLeastOne(scope, "Missed", `${subject}: occurrences have no run`, countOf("missedRuns", dimensions)),
  ];
}

/** It is the only one to notice what is missing, so somebody has to notice it. */
function watchdogAlarms(scope: Construct, fleet: string): Alarm[] {
  const common = { threshold: 1, evaluationPeriods: 3 };
  return [
    new Alarm(scope, "WatchdogSilent", {
      ...common,
      alarmDescription: `${fleet}: the watchdog has not looked for 15 minutes`,
      metric: countOf("looks", { fleet }),
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      treatMissingData: TreatMissingData.BREACHING,
    }),
    new Alarm(scope, "Unwatched", {
      ...common,
      alarmDescription: `${fleet}: the watchdog cannot look at some jobs; its log says why`,
      metric: countOf("unwatchedJobs", { fleet }),
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    }),
  ];
}

function atLeastOne(scope: Construct, id: string, alarmDescription: string, metric: IMetric): Alarm {
  return new Alarm(scope, id, {
    alarmDescription,
    metric,
    threshold: 1,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    evaluationPeriods: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
}

function deadLettersOf(queue: IQueue): IMetric {
  return queue.metricApproximateNumberOfMessagesVisible({ period });
}

function notify(alarms: readonly Alarm[], topic: ITopic | undefined): void {
  if (!topic) return;
  const action = new SnsAction(topic);
  for (const alarm of alarms) {
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
  }
}

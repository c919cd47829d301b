import { Annotations, CfnOutput, type RemovalPolicy, Stack, type StackProps } from "aws-cdk-lib";
import type { Construct } from "constructs";
import type { ScheduledFunctionsProps } from "./fleet-props.ts";
import { ScheduledFunctions } from "./scheduled-functions.ts";
import { checkStages, isEnabled, removalPolicyOf, type StageProps } from "./stages.ts";

/** Properties of a `ScheduledFunctionsStack`. */
export interface ScheduledFunctionsStackProps
  extends Omit<StackProps, "permissionsBoundary">,
    Omit<ScheduledFunctionsProps, "removalPolicy" | "enabled">,
    StageProps {}

/**
 * All of it in one stack: a fleet of scheduled functions, and outputs by which the command line finds it.
 *
 * @example
 * const stack = new ScheduledFunctionsStack(app, "Escapement-dev", { stage: "dev", jobs: await loadJobs("functions") });
 * ordersTable.grantReadData(stack.fleet.job("nightly-report"));
 */
export class ScheduledFunctionsStack extends Stack {
  readonly fleet: ScheduledFunctions;
  /** What becomes of data in this stage, also for tables of your own: `DESTROY` or `RETAIN`. */
  readonly removalPolicy: RemovalPolicy;

  constructor(scope: Construct, id: string, props: ScheduledFunctionsStackProps) {
    const { permissionsBoundary: _, ...stackProps } = props;
    super(scope, id, stackProps);
    checkStages(this.node.path, props);
    this.removalPolicy = removalPolicyOf(props);
    const enabled = isEnabled(props);
    this.fleet = new ScheduledFunctions(this, "Fleet", { ...props, removalPolicy: this.removalPolicy, enabled });
    if (!enabled && props.enabledStages) noteSchedulesOff(this, props.stage, props.enabledStages);
    new CfnOutput(this, "FleetName", { value: this.fleet.fleetName });
    new CfnOutput(this, "RunTableName", { value: this.fleet.table.tableName });
    new CfnOutput(this, "DeadLetterQueueUrl", { value: this.fleet.deadLetterQueue.queueUrl });
  }
}

function noteSchedulesOff(stack: Stack, stage: string, enabledStages: readonly string[]): void {
  const enabled = enabledStages.length === 0 ? "none" : enabledStages.join(", ");
  Annotations.of(stack).addInfoV2(
    "escapement:SCHEDULES_OFF",
    `The schedules are off in the stage "${stage}": enabledStages has ${enabled}. Its jobs run on request.`,
  );
}

import { CfnOutput, RemovalPolicy, Stack, type StackProps } from "aws-cdk-lib";
import type { Construct } from "constructs";
import type { ScheduledFunctionsProps } from "./fleet-props.ts";
import { ScheduledFunctions } from "./scheduled-functions.ts";

/** Properties of a `ScheduledFunctionsStack`. */
export interface ScheduledFunctionsStackProps
  extends Omit<StackProps, "permissionsBoundary">,
    Omit<ScheduledFunctionsProps, "removalPolicy" | "enabled"> {
  /**
   * What the stack is for. In `dev`, `preview` and `preview-…` the table and the logs go with the stack; in any other
   * stage they are retained, and the table cannot be deleted by accident.
   */
  readonly stage: string;
  /**
   * The stages whose schedules are switched on. In the others a job runs on request, and where its overrides say
   * `enabled: true`.
   *
   * @default - all but `preview` and `preview-…`
   */
  readonly enabledStages?: readonly string[];
}

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
    const { stage, enabledStages } = props;
    this.removalPolicy = stage === "dev" || isPreview(stage) ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN;
    const enabled = enabledStages?.includes(stage) ?? !isPreview(stage);
    this.fleet = new ScheduledFunctions(this, "Fleet", { ...props, removalPolicy: this.removalPolicy, enabled });
    new CfnOutput(this, "FleetName", { value: this.fleet.fleetName });
    new CfnOutput(this, "RunTableName", { value: this.fleet.table.tableName });
    new CfnOutput(this, "DeadLetterQueueUrl", { value: this.fleet.deadLetterQueue.queueUrl });
  }
}

function isPreview(stage: string): boolean {
  return /^preview(-.*)?$/.test(stage);
}

import { CfnOutput, RemovalPolicy, Stack, type StackProps } from "aws-cdk-lib";
import type { Construct } from "constructs";
import type { LoadedJob } from "./load-jobs.ts";
import { ScheduledFunctions } from "./scheduled-functions.ts";

/** Properties of a `ScheduledFunctionsStack`. */
export interface ScheduledFunctionsStackProps extends StackProps {
  /**
   * What the stack is for. In `dev`, `preview` and `preview-…` the table and the logs go with the stack; in any other
   * stage they are retained, and the table cannot be deleted by accident.
   */
  readonly stage: string;
  /** The jobs, as `loadJobs` returns them. */
  readonly jobs: readonly LoadedJob[];
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
    const { stage, jobs, ...stackProps } = props;
    super(scope, id, stackProps);
    this.removalPolicy = removalPolicyOf(stage);
    this.fleet = new ScheduledFunctions(this, "Fleet", { jobs, removalPolicy: this.removalPolicy });
    new CfnOutput(this, "FleetName", { value: this.fleet.fleetName });
    new CfnOutput(this, "RunTableName", { value: this.fleet.table.tableName });
    new CfnOutput(this, "DeadLetterQueueUrl", { value: this.fleet.deadLetterQueue.queueUrl });
  }
}

function removalPolicyOf(stage: string): RemovalPolicy {
  return /^(dev|preview|preview-.*)$/.test(stage) ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN;
}

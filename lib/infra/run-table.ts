import { RemovalPolicy } from "aws-cdk-lib";
import { AttributeType, Billing, TableEncryptionV2, TableV2 } from "aws-cdk-lib/aws-dynamodb";
import { type IGrantable, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import { fleetPartition, jobPartition, PARTITION_KEY, SORT_KEY, TTL_ATTRIBUTE } from "../store/keys.ts";

/** What a run does to the table: nothing else is ever asked of it by a job's function. */
const runActions = [
  "dynamodb:GetItem",
  "dynamodb:PutItem",
  "dynamodb:UpdateItem",
  "dynamodb:Query",
  "dynamodb:ConditionCheckItem",
];

/** What the watchdog does to the table. */
const watchActions = ["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:Query", "dynamodb:UpdateItem"];

/** Properties of a `RunTable`. */
export interface RunTableProps {
  /**
   * What becomes of the table when it is removed from the stack. All but `DESTROY` also protects it from deletion.
   *
   * @default RemovalPolicy.RETAIN
   */
  readonly removalPolicy?: RemovalPolicy;
}

/**
 * The DynamoDB table that holds the locks and the run records of a fleet: on demand, encrypted, with point-in-time
 * recovery. It has no fixed name, so that a retained table is never in the way of a new one.
 */
export class RunTable extends Construct {
  readonly tableName: string;
  /** The underlying resources. */
  readonly nodes: { readonly table: TableV2 };

  constructor(scope: Construct, id: string, props: RunTableProps = {}) {
    super(scope, id);
    const removalPolicy = props.removalPolicy ?? RemovalPolicy.RETAIN;
    const table = new TableV2(this, "Table", {
      partitionKey: { name: PARTITION_KEY, type: AttributeType.STRING },
      sortKey: { name: SORT_KEY, type: AttributeType.STRING },
      timeToLiveAttribute: TTL_ATTRIBUTE,
      billing: Billing.onDemand(),
      encryption: TableEncryptionV2.awsManagedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: removalPolicy !== RemovalPolicy.DESTROY,
      removalPolicy,
    });
    this.tableName = table.tableName;
    this.nodes = { table };
  }

  /** Lets a function run one job: read and write what is stored of that job, and of no other. */
  grantRun(grantee: IGrantable, fleet: string, job: string): void {
    grantee.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({
        actions: runActions,
        resources: [this.nodes.table.tableArn],
        conditions: { "ForAllValues:StringEquals": { "dynamodb:LeadingKeys": [jobPartition(fleet, job)] } },
      }),
    );
  }

  /** Lets the watchdog of a fleet look at all its jobs, and keep the fleet's list. */
  grantWatch(grantee: IGrantable, fleet: string): void {
    const partitions = [jobPartition(fleet, "*"), fleetPartition(fleet)];
    grantee.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({
        actions: watchActions,
        resources: [this.nodes.table.tableArn],
        conditions: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": partitions } },
      }),
    );
  }
}

import { RemovalPolicy } from "aws-cdk-lib";
import { AttributeType, Billing, type ITable, TableEncryptionV2, TableV2 } from "aws-cdk-lib/aws-dynamodb";
import { type IGrantable, type ManagedPolicy, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { IKey } from "aws-cdk-lib/aws-kms";
import { Construct } from "constructs";
import type { Job } from "../lambda/job.ts";
import {
  fleetPartition,
  jobPartition,
  jobPartitionPrefix,
  lockPartition,
  lockPartitionPrefix,
  PARTITION_KEY,
  SORT_KEY,
  TTL_ATTRIBUTE,
} from "../store/keys.ts";
import { grantKeyThrough } from "./key-rights.ts";

const readActions = ["dynamodb:GetItem", "dynamodb:Query"];
/** What an operator's action does: the state and its audit entry, in one transaction. */
const operateActions = [...readActions, "dynamodb:PutItem", "dynamodb:UpdateItem"];
/** What a run does to the table: nothing else is ever asked of it by a job's function. */
const runActions = [...operateActions, "dynamodb:ConditionCheckItem"];

/** What DynamoDB does with the table's own key, where it has one, on behalf of who reads and who writes. */
const readKeyActions = ["kms:Decrypt", "kms:DescribeKey"];
const writeKeyActions = [
  ...readKeyActions,
  "kms:Encrypt",
  "kms:GenerateDataKey",
  "kms:ReEncryptFrom",
  "kms:ReEncryptTo",
];

/** Properties of a `RunTable`. */
export interface RunTableProps {
  /**
   * A table that exists already: on demand or with capacity of its own, with the string keys `pk` and `sk`, and `ttl` as
   * its time-to-live attribute.
   *
   * @default - a new one
   */
  readonly table?: ITable | TableV2;
  /**
   * What becomes of a new table when it is removed from the stack. All but `DESTROY` also protects it from deletion.
   *
   * @default RemovalPolicy.RETAIN
   */
  readonly removalPolicy?: RemovalPolicy;
  /**
   * The key that a new table is encrypted with.
   *
   * @default - AWS's own key for DynamoDB in this account
   */
  readonly encryptionKey?: IKey;
}

/**
 * The DynamoDB table that holds the locks and the run records of a fleet: on demand, encrypted, with point-in-time
 * recovery. It has no fixed name, so that a retained table is never in the way of a new one.
 */
export class RunTable extends Construct {
  readonly tableName: string;
  /** The underlying resources. */
  readonly nodes: { readonly table: ITable | TableV2 };

  constructor(scope: Construct, id: string, props: RunTableProps = {}) {
    super(scope, id);
    const table = props.table ?? this.#createTable(props);
    this.tableName = table.tableName;
    this.nodes = { table };
  }

  /** Lets a function run jobs: read and write what is stored of them and of the locks that they name, and of no others. */
  grantRun(grantee: IGrantable, fleet: string, jobs: readonly Pick<Job, "name" | "locks">[]): void {
    const locks = new Set(jobs.flatMap((job) => job.locks));
    const partitions = [
      ...jobs.map(({ name }) => jobPartition(fleet, name)),
      ...[...locks].map((lock) => lockPartition(fleet, lock)),
    ];
    this.#grant(grantee, runActions, { "ForAllValues:StringEquals": { "dynamodb:LeadingKeys": partitions } });
    this.nodes.table.encryptionKey?.grant(grantee, ...writeKeyActions);
  }

  /** Lets people look at all jobs of a fleet. */
  grantRead(policy: ManagedPolicy, fleet: string): void {
    const partitions = [`${jobPartitionPrefix(fleet)}*`, fleetPartition(fleet)];
    const actions = [...readActions, "dynamodb:DescribeTimeToLive"];
    this.#grant(policy, actions, { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": partitions } });
    grantKeyThrough("dynamodb", this.nodes.table.encryptionKey, policy, readKeyActions);
  }

  /** Lets people act on all jobs of a fleet: pause, resume, unlock, which frees shared locks, too, and the like. */
  grantOperate(policy: ManagedPolicy, fleet: string): void {
    const jobs = [`${jobPartitionPrefix(fleet)}*`];
    const locks = [`${lockPartitionPrefix(fleet)}*`];
    this.#grant(policy, operateActions, { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": jobs } });
    this.#grant(policy, ["dynamodb:UpdateItem"], { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": locks } });
    grantKeyThrough("dynamodb", this.nodes.table.encryptionKey, policy, writeKeyActions);
  }

  /** Lets the watchdog look at all jobs of a fleet, do what a run would have done, and keep the fleet's list. */
  grantWatch(grantee: IGrantable, fleet: string): void {
    const partitions = [`${jobPartitionPrefix(fleet)}*`, fleetPartition(fleet)];
    this.#grant(grantee, operateActions, { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": partitions } });
    this.nodes.table.encryptionKey?.grant(grantee, ...writeKeyActions);
  }

  #grant(grantee: IGrantable, actions: string[], conditions: Record<string, Record<string, string[]>>): void {
    const resources = [this.nodes.table.tableArn];
    grantee.grantPrincipal.addToPrincipalPolicy(new PolicyStatement({ actions, resources, conditions }));
  }

  #createTable({ removalPolicy = RemovalPolicy.RETAIN, encryptionKey }: RunTableProps): TableV2 {
    return new TableV2(this, "Table", {
      partitionKey: { name: PARTITION_KEY, type: AttributeType.STRING },
      sortKey: { name: SORT_KEY, type: AttributeType.STRING },
      timeToLiveAttribute: TTL_ATTRIBUTE,
      billing: Billing.onDemand(),
      encryption: encryptionKey
        ? TableEncryptionV2.customerManagedKey(encryptionKey)
        : TableEncryptionV2.awsManagedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: removalPolicy !== RemovalPolicy.DESTROY,
      removalPolicy,
    });
  }
}

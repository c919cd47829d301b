import { Duration, type RemovalPolicy, Size } from "aws-cdk-lib";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  Architecture,
  type ILayerVersion,
  Function as LambdaFunction,
  type RecursiveLoop,
  Runtime,
  Tracing,
} from "aws-cdk-lib/aws-lambda";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import type { Bundle } from "./bundle.ts";
import { grantKeyOf } from "./dead-letter-queue.ts";
import type { FunctionResources } from "./overrides.ts";
import { acknowledgeWildcard } from "./wildcards.ts";

/** A function, with the role that it runs as and the log group that it writes to. */
export interface FunctionNodes {
  readonly function: LambdaFunction;
  readonly role: Role;
  readonly logGroup: LogGroup;
}

interface FunctionProps {
  readonly functionName: string;
  readonly description: string | undefined;
  readonly bundle: Bundle;
  readonly timeout: Duration;
  readonly environment: Readonly<Record<string, string>>;
  readonly deadLetterQueue: IQueue;
  readonly removalPolicy: RemovalPolicy;
  /** Whether X-Ray traces it. */
  readonly tracing: boolean;
  readonly memoryMb?: number;
  readonly architecture?: Architecture;
  readonly ephemeralStorageMb?: number;
  readonly reservedConcurrency?: number | undefined;
  readonly layers?: readonly ILayerVersion[];
  readonly network?: FunctionResources;
  readonly recursiveLoop?: RecursiveLoop;
}

/** What Lambda does on a function's behalf to connect it to a VPC. EC2 knows no narrower resource for all of it. */
const networkActions = [
  "ec2:CreateNetworkInterface",
  "ec2:DescribeNetworkInterfaces",
  "ec2:DescribeSubnets",
  "ec2:DeleteNetworkInterface",
  "ec2:AssignPrivateIpAddresses",
  "ec2:UnassignPrivateIpAddresses",
];

/** Creates what every function of a fleet has in common, the jobs' and the dispatcher's. */
export function createFunction(scope: Construct, props: FunctionProps): FunctionNodes {
  const { deadLetterQueue, removalPolicy, description, network = {}, memoryMb = 256, ...given } = props;
  // No fixed name: a log group that was retained is then not in the way of a new one.
  const logGroup = new LogGroup(scope, "Logs", { retention: RetentionDays.THREE_MONTHS, removalPolicy });
  // A role of our own, since the one that CDK makes may write to every log group.
  const role = new Role(scope, "Role", { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
  logGroup.grantWrite(role);
  role.addToPolicy(new PolicyStatement({ actions: ["sqs:SendMessage"], resources: [deadLetterQueue.queueArn] }));
  grantKeyOf(deadLetterQueue, role);
  if (network.vpc) grantNetwork(role);
  if (given.tracing)
    acknowledgeWildcard(
      role,
      "*",
      "X-Ray takes traces for the account as a whole: its actions have no narrower resource.",
    );

  const lambdaFunction = new LambdaFunction(scope, "Function", {
    functionName: given.functionName,
    ...(description !== undefined && { description }),
    ...given.bundle,
    timeout: given.timeout,
    environment: { NODE_OPTIONS: "--enable-source-maps", ...given.environment },
    runtime: Runtime.NODEJS_24_X,
    architecture: given.architecture ?? Architecture.ARM_64,
    memorySize: memoryMb,
    tracing: given.tracing ? Tracing.ACTIVE : Tracing.DISABLED,
    ...(given.ephemeralStorageMb !== undefined && { ephemeralStorageSize: Size.mebibytes(given.ephemeralStorageMb) }),
    ...(given.reservedConcurrency !== undefined && { reservedConcurrentExecutions: given.reservedConcurrency }),
    ...(given.layers?.length && { layers: [...given.layers] }),
    ...(network.vpc && { vpc: network.vpc }),
    ...(network.vpcSubnets && { vpcSubnets: network.vpcSubnets }),
    ...(network.securityGroups && { securityGroups: [...network.securityGroups] }),
    ...(given.recursiveLoop && { recursiveLoop: given.recursiveLoop }),
    role,
    logGroup,
    // A store fault or a crash needs redelivery, whatever number of attempts the job allows its runs.
    retryAttempts: 2,
    // Lambda's longest. Whether an event comes too late is for the run to decide, which leaves a record of it.
    maxEventAge: Duration.hours(6),
    onFailure: { bind: () => ({ destination: deadLetterQueue.queueArn }) },
  });
  return { function: lambdaFunction, role, logGroup };
}

function grantNetwork(role: Role): void {
  role.addToPolicy(new PolicyStatement({ actions: networkActions, resources: ["*"] }));
  acknowledgeWildcard(
    role,
    "*",
    "Lambda connects a function to its VPC by its role, and EC2 names no narrower resource.",
  );
}

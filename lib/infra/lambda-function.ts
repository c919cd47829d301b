import { Duration, type RemovalPolicy } from "aws-cdk-lib";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  Architecture,
  type Code,
  Function as LambdaFunction,
  type RecursiveLoop,
  Runtime,
} from "aws-cdk-lib/aws-lambda";
import { SqsDestination } from "aws-cdk-lib/aws-lambda-destinations";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";

/** A function, with the role that it runs as and the log group that it writes to. */
export interface FunctionNodes {
  readonly function: LambdaFunction;
  readonly role: Role;
  readonly logGroup: LogGroup;
}

interface FunctionProps {
  readonly functionName: string;
  readonly description: string | undefined;
  readonly code: Code;
  readonly timeout: Duration;
  readonly environment: Readonly<Record<string, string>>;
  readonly recursiveLoop?: RecursiveLoop;
  readonly deadLetterQueue: IQueue;
  readonly removalPolicy: RemovalPolicy;
}

/** Creates what every function of a fleet has in common, the jobs' and the dispatcher's. */
export function createFunction(scope: Construct, props: FunctionProps): FunctionNodes {
  const { deadLetterQueue, removalPolicy, description, ...given } = props;
  // No fixed name: a log group that was retained is then not in the way of a new one.
  const logGroup = new LogGroup(scope, "Logs", { retention: RetentionDays.THREE_MONTHS, removalPolicy });
  // A role of our own, since the one that CDK makes may write to every log group.
  const role = new Role(scope, "Role", { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
  logGroup.grantWrite(role);

  const lambdaFunction = new LambdaFunction(scope, "Function", {
    ...given,
    ...(description !== undefined && { description }),
    environment: { ...given.environment, NODE_OPTIONS: "--enable-source-maps" },
    handler: "index.handler",
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    memorySize: 256,
    role,
    logGroup,
    // A store fault or a crash needs redelivery, whatever number of attempts the job allows its runs.
    retryAttempts: 2,
    // Lambda's longest. Whether an event comes too late is for the run to decide, which leaves a record of it.
    maxEventAge: Duration.hours(6),
    onFailure: new SqsDestination(deadLetterQueue),
  });
  return { function: lambdaFunction, role, logGroup };
}

import { type CfnResource, Duration, type RemovalPolicy, Stack, Token } from "aws-cdk-lib";
import type { IEventBus } from "aws-cdk-lib/aws-events";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Architecture, LayerVersion, RecursiveLoop } from "aws-cdk-lib/aws-lambda";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { ENVIRONMENT } from "../lambda/environment.ts";
import { RUN_EVENT_TYPES } from "../lambda/run-events.ts";
import { RUN_REQUESTED } from "../lambda/run-request.ts";
import type { Bundle } from "./bundle.ts";
import { SynthError } from "./errors.ts";
import { functionArn } from "./function-arn.ts";
import type { JobGroup } from "./job-group.ts";
import { createFunction, type FunctionNodes } from "./lambda-function.ts";
import { functionName } from "./names.ts";
import type { OverriddenJob } from "./overrides.ts";
import type { RunTable } from "./run-table.ts";

/** The key of a function's metadata under which a template has the options of its jobs. */
const jobsMetadata = "escapement:jobs";
/** Lambda's quota of all variables of a function together. */
const maxEnvironmentBytes = 4096;

export interface JobFunctionProps {
  readonly bundle: Bundle;
  readonly fleetName: string;
  readonly table: RunTable;
  readonly deadLetterQueue: IQueue;
  readonly removalPolicy: RemovalPolicy;
  readonly tracing: boolean;
  /** Which bus is told how runs end. */
  readonly runEventBus: IEventBus | undefined;
}

/** Creates the function of a job, or of the jobs of a group, with the rights that a run has. */
export function createJobFunction(parent: Construct, group: JobGroup, props: JobFunctionProps): FunctionNodes {
  const scope = new Construct(parent, group.name);
  const { fleetName, table, deadLetterQueue, removalPolicy, bundle, tracing, runEventBus } = props;
  const { jobs, shared } = group;
  const [{ function: settings, resources, timeoutMs, description }] = jobs;
  const name = functionName(fleetName, group.name);
  const environment = environmentOf(group, props);
  checkSize(environment, group);
  const layers = [
    ...settings.layers.map((arn, index) => LayerVersion.fromLayerVersionArn(scope, `Layer${index + 1}`, arn)),
    ...(resources.layers ?? []),
  ];
  const nodes = createFunction(scope, {
    functionName: name,
    description: shared ? `Runs ${jobs.length} jobs of ${fleetName}: the group ${group.name}` : description,
    bundle,
    timeout: Duration.millis(timeoutMs),
    environment,
    deadLetterQueue,
    removalPolicy,
    tracing,
    memoryMb: settings.memoryMb,
    architecture: settings.architecture === "arm64" ? Architecture.ARM_64 : Architecture.X86_64,
    ephemeralStorageMb: settings.ephemeralStorageMb,
    reservedConcurrency: settings.reservedConcurrency,
    layers,
    network: resources,
    // It starts the next run of its queue by invoking itself, one at the end of each.
    recursiveLoop: RecursiveLoop.ALLOW,
  });
  table.grantRun(nodes.role, fleetName, jobs);
  grantSelfInvoke(nodes, jobs, name);
  if (runEventBus) grantRunEvents(nodes, runEventBus);
  const lambdaFunction = nodes.function.node.defaultChild as CfnResource;
  lambdaFunction.addMetadata(jobsMetadata, jobs.map(metadataOf));
  return nodes;
}

function environmentOf(
  { jobs, shared, name }: JobGroup,
  { fleetName, table, runEventBus }: JobFunctionProps,
): Record<string, string> {
  const overrides = jobs.flatMap(({ name, runtimeOverrides }) => (runtimeOverrides ? [[name, runtimeOverrides]] : []));
  return {
    ...jobs[0].function.environment,
    // In a group each event says its job.
    ...(!shared && { [ENVIRONMENT.job]: name }),
    [ENVIRONMENT.fleet]: fleetName,
    [ENVIRONMENT.table]: table.tableName,
    ...(runEventBus && { [ENVIRONMENT.eventBus]: runEventBus.eventBusArn }),
    ...(overrides.length > 0 && { [ENVIRONMENT.overrides]: JSON.stringify(Object.fromEntries(overrides)) }),
  };
}

/** Values that only the deployment knows are not counted. */
function checkSize(environment: Readonly<Record<string, string>>, { name, jobs }: JobGroup): void {
  const texts = Object.entries(environment).flatMap(([key, value]) =>
    Token.isUnresolved(value) ? [key] : [key, value],
  );
  const bytes = Buffer.byteLength(texts.join(""));
  if (bytes <= maxEnvironmentBytes) return;
  throw new SynthError(
    `${jobs[0].file}: the environment of "${name}" has ${bytes} bytes. Allowed: ${maxEnvironmentBytes}, Lambda's limit. Put long values into a parameter or a file, or take jobs out of the group.`,
  );
}

/** By its name, since a grant of a function to itself is a cycle in CloudFormation. A job that takes no lock has no queue. */
function grantSelfInvoke({ role }: FunctionNodes, jobs: readonly OverriddenJob[], name: string): void {
  if (jobs.every(({ overlap }) => overlap === "allow")) return;
  role.addToPolicy(
    new PolicyStatement({ actions: ["lambda:InvokeFunction"], resources: [functionArn(Stack.of(role), name)] }),
  );
}

/**
 * How runs end, to this bus, and no request for a run. A request can bring several events, and one that lacks a key would
 * hold for all its values.
 */
function grantRunEvents({ role }: FunctionNodes, bus: IEventBus): void {
  role.addToPolicy(
    new PolicyStatement({
      actions: ["events:PutEvents"],
      resources: [bus.eventBusArn],
      conditions: {
        "ForAllValues:StringEquals": {
          "events:source": RUN_REQUESTED.source,
          "events:detail-type": Object.values(RUN_EVENT_TYPES),
        },
        Null: { "events:source": "false", "events:detail-type": "false" },
      },
    }),
  );
}

/** Whoever reads the template or the cloud assembly learns the policies of each job here. */
function metadataOf({ file: _, options: __, resources: ___, runtimeOverrides: ____, ...spec }: OverriddenJob) {
  return spec;
}

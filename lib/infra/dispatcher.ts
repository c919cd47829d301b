import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { Duration, type RemovalPolicy, Stack } from "aws-cdk-lib";
import { type IEventBus, Rule } from "aws-cdk-lib/aws-events";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { RUN_REQUESTED } from "../lambda/run-request.ts";
import type { Bundle } from "./bundle.ts";
import { grantKeyOf } from "./dead-letter-queue.ts";
import { fleetFunctionsArn } from "./fleet-functions.ts";
import { createFunction, type FunctionNodes } from "./lambda-function.ts";
import { functionName } from "./names.ts";
import { acknowledgeWildcard } from "./wildcards.ts";

/** The dispatcher's name beside the jobs of its fleet; no job can have it. */
export const dispatcherName = "dispatcher";
/** The source file of its handler. */
export const dispatcherEntry = fileURLToPath(
  new URL(`../lambda/dispatcher${extname(import.meta.url)}`, import.meta.url),
);

interface DispatcherProps {
  readonly bundle: Bundle;
  readonly fleetName: string;
  readonly eventBus: IEventBus | undefined;
  readonly deadLetterQueue: Queue;
  readonly removalPolicy: RemovalPolicy;
  readonly tracing: boolean;
}

/**
 * Starts a job on request: whoever sends a `Run Requested` event that names this stack to the event bus, from the
 * EventBridge console for one, has the dispatcher check it and invoke the job.
 */
export class Dispatcher extends Construct {
  /** The underlying resources. */
  readonly nodes: FunctionNodes & { readonly rule: Rule };

  constructor(scope: Construct, id: string, props: DispatcherProps) {
    super(scope, id);
    const { fleetName, deadLetterQueue } = props;
    const nodes = createFunction(this, {
      functionName: functionName(fleetName, dispatcherName),
      description: `Starts the jobs of ${fleetName} on request`,
      bundle: props.bundle,
      timeout: Duration.seconds(30),
      environment: {},
      deadLetterQueue,
      removalPolicy: props.removalPolicy,
      tracing: props.tracing,
    });
    const functions = fleetFunctionsArn(Stack.of(this), fleetName);
    nodes.role.addToPolicy(new PolicyStatement({ actions: ["lambda:InvokeFunction"], resources: [functions] }));
    acknowledgeWildcard(nodes.role, functions, "The name's beginning is this fleet's alone, whose jobs it starts.");
    this.nodes = { ...nodes, rule: this.#createRule(nodes, props) };
  }

  /** Spelled out, since the statement ids that CDK's own target makes of a long stack name are too long for AWS. */
  #createRule(nodes: FunctionNodes, { fleetName, deadLetterQueue, eventBus }: DispatcherProps): Rule {
    const target = {
      arn: nodes.function.functionArn,
      deadLetterConfig: { arn: deadLetterQueue.queueArn },
      retryPolicy: { maximumEventAgeInSeconds: 3600, maximumRetryAttempts: 185 },
    };
    const rule = new Rule(this, "RunRequested", {
      ...(eventBus && { eventBus }),
      description: `Run requests for the jobs of ${fleetName}`,
      eventPattern: {
        source: [RUN_REQUESTED.source],
        detailType: [RUN_REQUESTED.detailType],
        detail: { stack: [fleetName] },
      },
      targets: [{ bind: () => target }],
    });
    const eventBridge = new ServicePrincipal("events.amazonaws.com");
    nodes.function.addPermission("RunRequested", { principal: eventBridge, sourceArn: rule.ruleArn });
    deadLetterQueue.addToResourcePolicy(
      new PolicyStatement({
        principals: [eventBridge],
        actions: ["sqs:SendMessage"],
        resources: [deadLetterQueue.queueArn],
        conditions: { ArnEquals: { "aws:SourceArn": rule.ruleArn } },
      }),
    );
    grantKeyOf(deadLetterQueue, eventBridge);
    return rule;
  }
}

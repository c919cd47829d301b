import { setTimeout as sleep } from "node:timers/promises";
import { CloudFormationClient, DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import { createDynamoClient, createFleetRegister, createRunQueries, createRunStore } from "../store/index.ts";
import { alarmFindings } from "./aws-alarms.ts";
import { clockFinding, expiryFinding } from "./aws-checks.ts";
import { queueOfDeadLetters } from "./aws-dead-letters.ts";
import { awsError, withTableErrors } from "./aws-errors.ts";
import { awsTime, callerArn } from "./aws-identity.ts";
import { cloudWatchLogs } from "./aws-logs.ts";
import { permissionFinding } from "./aws-permissions.ts";
import type { AwsPlace } from "./aws-place.ts";
import { deployedSchedule, scheduleFindings } from "./aws-schedules.ts";
import type { Backend } from "./backend.ts";
import { OperationError } from "./errors.ts";
import { invoke } from "./invoke.ts";
import { createOperations } from "./operations.ts";
import type { Operations } from "./types.ts";

export interface StackOptions {
  /** The CloudFormation stack's name. */
  readonly stack: string;
  /** @default as the AWS SDK finds it: environment, then profile */
  readonly region?: string | undefined;
  /** @default as the AWS SDK finds it */
  readonly profile?: string | undefined;
}

/** The outputs of `ScheduledFunctionsStack` by which a deployed fleet is found. */
const OUTPUTS = ["FleetName", "RunTableName", "DeadLetterQueueUrl"] as const;
type Outputs = Record<(typeof OUTPUTS)[number], string>;

/**
 * Connects to a deployed stack. Credentials and Region come from the SDK's own chain: environment, profile, SSO, …
 *
 * @throws OperationError `NO_CREDENTIALS`, `CREDENTIALS_EXPIRED`, `ACCESS_DENIED`, `NO_STACK`
 * @example const operations = await connectStack({ stack: "Escapement-prod", region: "eu-central-1" });
 */
export async function connectStack({ stack, region: given, profile }: StackOptions): Promise<Operations> {
  const place: AwsPlace = { ...(given !== undefined && { region: given }), ...(profile !== undefined && { profile }) };
  const { region, outputs } = await findStack(place, stack);
  return createOperations(stackBackend({ ...place, region }, stack, outputs));
}

async function findStack(place: AwsPlace, stack: string): Promise<{ region: string; outputs: Outputs }> {
  const client = new CloudFormationClient(place);
  try {
    const region = await client.config.region();
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: stack }));
    const given = new Map((Stacks[0]?.Outputs ?? []).map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
    const missing = OUTPUTS.filter((name) => given.get(name) === undefined);
    if (missing.length > 0) {
      const message = `the stack ${stack} is no fleet of Escapement: it has no output ${missing.join(", ")}; name a ScheduledFunctionsStack`;
      throw new OperationError("NO_STACK", message);
    }
    const outputs = Object.fromEntries(OUTPUTS.map((name) => [name, given.get(name)])) as Outputs;
    return { region, outputs };
  } catch (error) {
    if (error instanceof Error && /does not exist/.test(error.message)) {
      const message = `there is no stack ${stack} in this account and Region; look at --region and --profile, or deploy it with: npx cdk deploy`;
      throw new OperationError("NO_STACK", message, { cause: error });
    }
    throw awsError(error, `the stack ${stack} could not be found`);
  } finally {
    client.destroy();
  }
}

function stackBackend(place: AwsPlace & { region: string }, stack: string, outputs: Outputs): Backend {
  const { FleetName: fleet, RunTableName: tableName, DeadLetterQueueUrl: queueUrl } = outputs;
  const client = createDynamoClient(place);
  const table = { client, tableName, fleet };
  const fleetRegister = withTableErrors(createFleetRegister(table));
  return {
    target: { kind: "stack", fleet, stack, region: place.region, running: true },
    fleet: fleetRegister,
    records: withTableErrors(createRunQueries(table)),
    store: withTableErrors(createRunStore(table)),
    deadLetters: queueOfDeadLetters(place, queueUrl),
    logs: cloudWatchLogs(place),
    invoke: (functionName, payload) => invoke(place, functionName, payload),
    logOf: ({ group, stream }) => group && logUrl(place.region, group, stream),
    deployedSchedule: (job, schedule) => deployedSchedule(place, fleet, job, schedule),
    async checks() {
      const { jobs } = await fleetRegister.readFleet();
      const { serverMs, nowMs } = await awsTime(place);
      return [
        clockFinding(serverMs, nowMs),
        await expiryFinding(client, tableName),
        ...(await scheduleFindings(place, fleet, jobs)),
        ...(await alarmFindings(place, stack, fleet)),
        await permissionFinding(place, { ...place, tableName, queueUrl, functionName: jobs[0]?.functionName }),
      ];
    },
    whoAmI: () => callerArn(place),
    nowMs: () => Date.now(),
    sleep: (ms) => sleep(ms),
    async close() {
      client.destroy();
    },
  };
}

/** The console's page of a log stream; its own encoding has `$25` where a URL would have `%`. */
function logUrl(region: string, group: string, stream: string): string {
  const encoded = (text: string) => encodeURIComponent(encodeURIComponent(text)).replaceAll("%", "$");
  const path = `log-groups/log-group/${encoded(group)}/log-events/${encoded(stream)}`;
  return `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#logsV2:${path}`;
}

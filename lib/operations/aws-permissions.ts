import { IAMClient, paginateSimulatePrincipalPolicy } from "@aws-sdk/client-iam";
import { callerArn } from "./aws-identity.ts";
import type { AwsPlace } from "./aws-place.ts";
import { OperationError } from "./errors.ts";
import type { Finding } from "./types.ts";

const check = "permissions";

interface Asked {
  readonly region: string;
  readonly tableName: string;
  readonly queueUrl: string;
  /** Of any job: a right on one function of the fleet is one on all. */
  readonly functionName: string | undefined;
}

/** What the commands that act ask of AWS; those that look are seen to work, or not, by the other checks. */
function neededFor({ region, tableName, queueUrl, functionName }: Asked, partition: string, account: string) {
  const arn = (service: string, resource: string) => `arn:${partition}:${service}:${region}:${account}:${resource}`;
  const table = arn("dynamodb", `table/${tableName}`);
  return [
    { action: "dynamodb:UpdateItem", resource: table },
    { action: "dynamodb:PutItem", resource: table },
    { action: "sqs:DeleteMessage", resource: arn("sqs", queueUrl.split("/").at(-1) ?? "") },
    ...(functionName ? [{ action: "lambda:InvokeFunction", resource: arn("lambda", `function:${functionName}`) }] : []),
  ];
}

/** Asks IAM, without doing anything, whether the caller may act on the fleet. Few callers may ask that: then it is said. */
export async function permissionFinding(place: AwsPlace, asked: Asked): Promise<Finding> {
  const client = new IAMClient(place);
  try {
    const caller = await callerArn(place);
    const [, partition = "aws", , , account = ""] = caller.split(":");
    const denied: string[] = [];
    for (const { action, resource } of neededFor(asked, partition, account)) {
      const query = { PolicySourceArn: principalOf(caller), ActionNames: [action], ResourceArns: [resource] };
      for await (const { EvaluationResults = [] } of paginateSimulatePrincipalPolicy({ client }, query)) {
        if (EvaluationResults.some(({ EvalDecision }) => EvalDecision !== "allowed")) denied.push(action);
      }
    }
    if (denied.length === 0) return { check, level: "ok", message: `${caller} may look and act` };
    const advice =
      "To trigger, pause, unlock, resend and the like use credentials with the stack's managed policy -operate.";
    return { check, level: "ok", message: `${caller} may look, and not act: no ${denied.join(", ")}`, advice };
  } catch (error) {
    if (error instanceof OperationError) throw error;
    const advice =
      "Allow the caller iam:SimulatePrincipalPolicy on itself; without it a command that may not act says so.";
    const reason = error instanceof Error ? error.message : String(error);
    return { check, level: "warning", message: `not known whether the caller may act: ${reason}`, advice };
  } finally {
    client.destroy();
  }
}

/** IAM knows roles and users, and not the session of a role. The path of a role is not in its session's name. */
function principalOf(caller: string): string {
  const role = /^arn:([\w-]+):sts::(\d+):assumed-role\/([^/]+)\//.exec(caller);
  return role ? `arn:${role[1]}:iam::${role[2]}:role/${role[3]}` : caller;
}

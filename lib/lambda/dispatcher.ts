import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { requestedFunction } from "./dispatch.ts";
import { countRejectedRequest } from "./metrics.ts";

let lambda: LambdaClient | undefined;

/**
 * The Lambda handler behind the stack's `Run Requested` rule: hands the event, unchanged, to the function of the job that it names.
 * A request that is wrong is counted and thrown, so that it becomes a dead letter with the reason.
 */
export async function handler(event: unknown): Promise<{ functionName: string }> {
  const functionName = checkedFunction(event);
  lambda ??= new LambdaClient();
  const Payload = JSON.stringify(event);
  await lambda.send(new InvokeCommand({ FunctionName: functionName, InvocationType: "Event", Payload }));
  return { functionName };
}

function checkedFunction(event: unknown): string {
  try {
    return requestedFunction(event, ESCAPEMENT_MANIFEST);
  } catch (error) {
    countRejectedRequest(ESCAPEMENT_MANIFEST.fleet);
    throw error;
  }
}

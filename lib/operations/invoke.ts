import { InvocationType, InvokeCommand, LambdaClient, type LambdaClientConfig } from "@aws-sdk/client-lambda";
import { awsError } from "./aws-errors.ts";

/**
 * Puts an event into a function's queue.
 *
 * @throws OperationError
 */
export async function invoke(api: LambdaClientConfig, functionName: string, payload: object): Promise<void> {
  const client = new LambdaClient(api);
  const input = {
    FunctionName: functionName,
    InvocationType: InvocationType.Event,
    Payload: JSON.stringify(payload),
  };
  try {
    await client.send(new InvokeCommand(input));
  } catch (error) {
    throw awsError(error, `function ${functionName} did not take the event`);
  } finally {
    client.destroy();
  }
}

import { InvocationType, InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { OperationError } from "./errors.ts";

/** Where Lambda's API is served, and the key that signs requests to it. */
export interface LambdaApi {
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly region: string;
}

/**
 * Puts an event into a function's queue.
 *
 * @throws OperationError `TRIGGER_FAILED`
 */
export async function invoke(api: LambdaApi, functionName: string, payload: object): Promise<void> {
  const { endpoint, accessKeyId, region } = api;
  const client = new LambdaClient({ endpoint, region, credentials: { accessKeyId, secretAccessKey: "local" } });
  const input = {
    FunctionName: functionName,
    InvocationType: InvocationType.Event,
    Payload: JSON.stringify(payload),
  };
  try {
    await client.send(new InvokeCommand(input));
  } catch (error) {
    const { name, message } = error as Error;
    const text = `function ${functionName} did not take the event: ${name}: ${message}`;
    throw new OperationError("TRIGGER_FAILED", text, { cause: error });
  } finally {
    client.destroy();
  }
}

import { InvocationType, InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import type { Backend } from "./backend.ts";
import { OperationError } from "./errors.ts";

export interface Invoker {
  readonly invoke: NonNullable<Backend["invoke"]>;
  close(): void;
}

/** Invokes functions asynchronously through Lambda's API, wherever that is served. */
export function createInvoker(options: { endpoint: string; accessKeyId: string; region: string }): Invoker {
  const { endpoint, accessKeyId, region } = options;
  const client = new LambdaClient({ endpoint, region, credentials: { accessKeyId, secretAccessKey: "local" } });
  return {
    async invoke(functionName, payload) {
      const input = {
        FunctionName: functionName,
        InvocationType: InvocationType.Event,
        Payload: JSON.stringify(payload),
      };
      try {
        await client.send(new InvokeCommand(input));
      } catch (error) {
        const { name, message } = error as Error;
        throw new OperationError(
          "TRIGGER_FAILED",
          `function ${functionName} did not take the event: ${name}: ${message}`,
          {
            cause: error,
          },
        );
      }
    },
    close: () => client.destroy(),
  };
}

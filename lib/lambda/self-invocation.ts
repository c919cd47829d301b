import type { LambdaClient } from "@aws-sdk/client-lambda";

/** Three tries end within ten seconds: whoever waits for this is about to end. */
const MAX_ATTEMPTS = 3;
const CONNECTION_TIMEOUT_MS = 1_000;
const REQUEST_TIMEOUT_MS = 3_000;

/**
 * Sends an event to this very function, asynchronously. The client is loaded when it is first needed, so that a start of
 * the function does not pay for it.
 */
export function selfInvocation(): (event: object) => Promise<void> {
  let client: LambdaClient | undefined;
  return async (event) => {
    const { InvokeCommand, LambdaClient } = await import("@aws-sdk/client-lambda");
    client ??= new LambdaClient({
      maxAttempts: MAX_ATTEMPTS,
      requestHandler: {
        connectionTimeout: CONNECTION_TIMEOUT_MS,
        requestTimeout: REQUEST_TIMEOUT_MS,
        throwOnRequestTimeout: true,
      },
    });
    const FunctionName = process.env["AWS_LAMBDA_FUNCTION_NAME"];
    const Payload = JSON.stringify(event);
    await client.send(new InvokeCommand({ FunctionName, InvocationType: "Event", Payload }));
  };
}

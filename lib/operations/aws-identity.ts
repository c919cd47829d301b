import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import { awsError } from "./aws-errors.ts";
import type { AwsPlace } from "./aws-place.ts";

/** Who the credentials belong to: an ARN. */
export async function callerArn(place: AwsPlace): Promise<string> {
  const client = new STSClient(place);
  try {
    const { Arn } = await client.send(new GetCallerIdentityCommand({}));
    return Arn ?? "unknown";
  } catch (error) {
    throw awsError(error, "AWS does not say who you are");
  } finally {
    client.destroy();
  }
}

/** AWS's time, in whole seconds, and this machine's when the answer came. */
export async function awsTime(place: AwsPlace): Promise<{ serverMs: number; nowMs: number }> {
  const client = new STSClient(place);
  let serverMs = Number.NaN;
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      serverMs = Date.parse((result.response as { headers?: Record<string, string> }).headers?.["date"] ?? "");
      return result;
    },
    { step: "deserialize", priority: "high", name: "keepDate" },
  );
  try {
    await client.send(new GetCallerIdentityCommand({}));
    return { serverMs, nowMs: Date.now() };
  } catch (error) {
    throw awsError(error, "AWS does not say what time it is");
  } finally {
    client.destroy();
  }
}

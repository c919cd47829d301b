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

import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";

const lambda = new LambdaClient();

/** What a deployed function answers. */
export async function invoke(FunctionName: string, event: object): Promise<unknown> {
  const { Payload } = await lambda.send(new InvokeCommand({ FunctionName, Payload: JSON.stringify(event) }));
  return JSON.parse(Buffer.from(Payload ?? []).toString());
}

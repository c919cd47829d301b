import { type DynamoDBClient, TransactWriteItemsCommand } from "@aws-sdk/client-dynamodb";
import { toAttributes } from "./attributes.ts";
import { cancellationOf } from "./cancellation.ts";
import { StoreError } from "./errors.ts";
import { Expressions } from "./expressions.ts";
import type { Item, Update } from "./request.ts";

/** An update and the new item beside it, in one transaction. DynamoDB does not return what such an update leaves. */
export async function transactUpdate(
  client: DynamoDBClient,
  tableName: string,
  request: Update,
): Promise<{ output: object; applied?: false; item?: Item | undefined }> {
  const text = new Expressions();
  const update = {
    TableName: tableName,
    Key: toAttributes(request.key),
    UpdateExpression: text.update(request),
    ConditionExpression: request.condition && text.condition(request.condition),
    ExpressionAttributeNames: text.names,
    ExpressionAttributeValues: toAttributes(text.values),
    ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
  };
  const put = { TableName: tableName, Item: toAttributes(request.beside ?? {}) };
  try {
    const output = await client.send(
      new TransactWriteItemsCommand({ TransactItems: [{ Update: update }, { Put: put }] }),
    );
    return { output };
  } catch (error) {
    const reasons = cancellationOf(error);
    if (!reasons) throw error;
    const [refused] = reasons;
    if (refused?.code === "ConditionalCheckFailed")
      return { output: error as object, applied: false, item: refused.item };
    const shown = reasons.map(({ code, message }) => `${code}: ${message ?? ""}`).join("; ");
    throw new StoreError("STORE_CONFLICT", `Another request holds an item of ${request.key.pk}: ${shown}. Try again.`);
  }
}

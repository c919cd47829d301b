import type { AttributeValue } from "@aws-sdk/client-dynamodb";

/** What DynamoDB asks IAM about for one item or query. */
export interface Access {
  /** `GetItem`, … */
  readonly action: string;
  readonly tableName: string;
  readonly partition: string;
}

type Attributes = Readonly<Record<string, AttributeValue>>;

interface Input {
  readonly TableName: string;
  readonly Key?: Attributes;
  readonly Item?: Attributes;
  readonly KeyConditionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Attributes;
  readonly TransactItems?: readonly Readonly<Record<string, Input>>[];
}

const actionOf: Record<string, string> = {
  Put: "PutItem",
  Update: "UpdateItem",
  Delete: "DeleteItem",
  ConditionCheck: "ConditionCheckItem",
};

/** The accesses of a request: one, or one for each item of a transaction, which has no action of its own. */
export function accessesOf(name: string, input: object): Access[] {
  const { TransactItems, ...single } = input as Input;
  if (!TransactItems) return [{ action: name, tableName: single.TableName, partition: partitionOf(single) }];
  return TransactItems.flatMap((item) => Object.entries(item)).map(([kind, part]) => {
    const action = actionOf[kind] ?? `unknown: ${kind}`;
    return { action, tableName: part.TableName, partition: partitionOf(part) };
  });
}

function partitionOf(input: Input): string {
  const item = input.Key ?? input.Item;
  if (item) return item["pk"]?.S ?? "none";
  // "#n0 = :v0 AND …": the first condition is that of the partition.
  const [, value = ""] = /^#\w+ = (:\w+)/.exec(input.KeyConditionExpression ?? "") ?? [];
  return input.ExpressionAttributeValues?.[value]?.S ?? "none";
}

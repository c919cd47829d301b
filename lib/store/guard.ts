import { WriteError } from "./errors.ts";

/** The input of a `PutCommand` or an `UpdateCommand` of `@aws-sdk/lib-dynamodb`, or of such an item of a transaction. */
export interface GuardableWrite {
  readonly Item?: Record<string, unknown> | undefined;
  readonly UpdateExpression?: string | undefined;
  readonly ConditionExpression?: string | undefined;
  readonly ExpressionAttributeNames?: Record<string, string> | undefined;
  readonly ExpressionAttributeValues?: Record<string, unknown> | undefined;
}

/**
 * Adds to a write that it leaves the fencing token on the item, and is refused where a greater one is.
 *
 * The token's attribute is named after the job, since the tokens of two jobs say nothing of each other. What the write
 * brings along stays as it is; where it uses our alias already, we take another.
 *
 * @throws WriteError WRITE_INVALID for a deletion, which would take the token away with the item
 */
export function guardWrite<T extends GuardableWrite>(write: T, job: string, fencingToken: number): T {
  const { Item, UpdateExpression, ConditionExpression } = write;
  const names = write.ExpressionAttributeNames ?? {};
  const values = write.ExpressionAttributeValues ?? {};
  const attribute = fenceAttribute(job);
  const name = unused("#fence", names, UpdateExpression, ConditionExpression);
  const value = unused(":fence", values, UpdateExpression, ConditionExpression);
  if (Item === undefined && UpdateExpression === undefined) {
    throw new WriteError(
      "WRITE_INVALID",
      "run.guard takes a Put (with an Item) or an Update (with an UpdateExpression). A deletion would take the token away with the item: mark the item as deleted instead, or delete it by run.transact.",
    );
  }
  const isNotOlder = `(attribute_not_exists(${name}) OR ${name} <= ${value})`;
  return {
    ...write,
    ...(Item && { Item: { ...Item, [attribute]: fencingToken } }),
    ...(UpdateExpression !== undefined && { UpdateExpression: addSet(UpdateExpression, `${name} = ${value}`) }),
    ConditionExpression: ConditionExpression === undefined ? isNotOlder : `(${ConditionExpression}) AND ${isNotOlder}`,
    ExpressionAttributeNames: { ...names, [name]: attribute },
    ExpressionAttributeValues: { ...values, [value]: fencingToken },
  };
}

/** The attribute that holds a job's token on the items that its runs write. */
export function fenceAttribute(job: string): string {
  return `fence_${job}`;
}

/** SET may stand once in an expression. It is a reserved word, so that no name in the expression is one without `#`. */
function addSet(expression: string, action: string): string {
  const section = /(?<![#:.\w])SET(?=\s)/i;
  return section.test(expression)
    ? expression.replace(section, (set) => `${set} ${action},`)
    : `SET ${action} ${expression}`;
}

function unused(alias: string, taken: object, ...expressions: (string | undefined)[]): string {
  const isUsed = (candidate: string) =>
    candidate in taken || expressions.some((expression) => expression?.includes(candidate));
  let found = alias;
  for (let number = 2; isUsed(found); number++) found = `${alias}${number}`;
  return found;
}

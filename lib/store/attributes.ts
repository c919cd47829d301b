import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";
import type { Item } from "./request.ts";

export type Attributes = Record<string, AttributeValue>;

/** In DynamoDB's own notation. What is `undefined` is left out. */
export function toAttributes(values: object): Attributes {
  return marshall(values, { removeUndefinedValues: true });
}

export function toItem(attributes: Attributes | undefined): Item | undefined {
  return attributes && unmarshall(attributes);
}

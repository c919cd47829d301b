import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, paginateQuery } from "@aws-sdk/lib-dynamodb";

export interface Order {
  readonly seller: string;
  readonly currency: string;
  readonly amountCents: number;
}

const db = DynamoDBDocumentClient.from(new DynamoDBClient());

/** The orders of one business day (`2026-05-01`), which is their partition in the table. */
export async function ordersOf(day: string): Promise<Order[]> {
  const orders: Order[] = [];
  const pages = paginateQuery(
    { client: db },
    {
      TableName: process.env["ORDERS_TABLE"],
      KeyConditionExpression: "pk = :day",
      ExpressionAttributeValues: { ":day": day },
    },
  );
  for await (const page of pages) orders.push(...((page.Items ?? []) as Order[]));
  return orders;
}

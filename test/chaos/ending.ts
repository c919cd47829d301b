import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, paginateScan } from "@aws-sdk/lib-dynamodb";
import type { Ending } from "./checker.ts";
import { EFFECTS_TABLE } from "./handler.ts";
import { TABLE } from "./hosts.ts";

/** What the tables hold. */
export async function readEnding(client: DynamoDBClient): Promise<Ending> {
  const items = await scan<TableItem>(client, TABLE);
  const lists = await scan<Omit<Ending["effects"][number], "kind"> & { readonly sk: string }>(client, EFFECTS_TABLE);
  return {
    records: items.filter(({ status }) => status !== undefined),
    waiting: items.flatMap(({ pk, queue = [] }) => queue.map(({ runId }) => ({ job: pk.split("#")[2] ?? "", runId }))),
    effects: lists.map(({ job, sk, list }) => ({ job, kind: sk, list })),
  };
}

type TableItem = Ending["records"][number] & { readonly pk: string; readonly queue?: readonly { runId: string }[] };

async function scan<Item>(client: DynamoDBClient, TableName: string): Promise<Item[]> {
  const items: Item[] = [];
  const pages = paginateScan({ client: DynamoDBDocumentClient.from(client) }, { TableName, ConsistentRead: true });
  for await (const { Items = [] } of pages) items.push(...(Items as Item[]));
  return items;
}

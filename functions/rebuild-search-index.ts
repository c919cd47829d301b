import { setTimeout as sleep } from "node:timers/promises";
import { ConditionalCheckFailedException, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, PutCommand, paginateQuery } from "@aws-sdk/lib-dynamodb";
import { cron, type Run, scheduled } from "escapement";

const shards = 90;
const keepSeconds = 24 * 60 * 60;
const db = DynamoDBDocumentClient.from(new DynamoDBClient());

/**
 * Rebuilds the search index of the product catalog: one shard a second, so that shoppers never feel it.
 *
 * It takes 90 seconds and is due every minute, so its occurrences overlap: the lock lets one run at a time, and the
 * others are recorded as skipped. Idempotent by its window: each rebuild writes a generation of its own, named by its
 * scheduled time, and readers are pointed to it once it is whole.
 */
export const handler = scheduled(
  {
    description: "Rebuilds the search index of the product catalog",
    schedule: cron("* * * * ? *"),
    timeout: "100 seconds",
    overlap: "skip",
  },
  (run) => rebuild(run, 1000),
);

/** Indexes every shard of the catalog, one each `paceMs`, then publishes the new generation. */
export async function rebuild(run: Pick<Run, "scheduledTime" | "progress" | "signal">, paceMs: number) {
  const generation = run.scheduledTime.toISOString();
  const startedMs = Date.now();
  let products = 0;
  for (let shard = 0; shard < shards; shard++) {
    products += await indexShard(`shard-${shard}`, generation);
    run.progress((shard + 1) / shards, `shard ${shard + 1} of ${shards}`);
    await sleep(Math.max(0, startedMs + (shard + 1) * paceMs - Date.now()), undefined, { signal: run.signal });
  }
  await publish(generation);
  return { generation, products };
}

async function indexShard(shard: string, generation: string): Promise<number> {
  const products: Product[] = [];
  const pages = paginateQuery(
    { client: db },
    {
      TableName: process.env["CATALOG_TABLE"],
      KeyConditionExpression: "pk = :shard",
      ExpressionAttributeValues: { ":shard": shard },
    },
  );
  for await (const page of pages) products.push(...((page.Items ?? []) as Product[]));

  const ttl = Math.floor(Date.parse(generation) / 1000) + keepSeconds;
  const Item = { pk: generation, sk: shard, products: productsByTerm(products), ttl };
  await db.send(new PutCommand({ TableName: process.env["SEARCH_INDEX_TABLE"], Item }));
  return products.length;
}

/** Points readers to a finished generation, and never back to an older one. */
async function publish(generation: string): Promise<void> {
  const pointer = new PutCommand({
    TableName: process.env["SEARCH_INDEX_TABLE"],
    Item: { pk: "current", sk: "generation", generation },
    ConditionExpression: "attribute_not_exists(generation) OR generation <= :generation",
    ExpressionAttributeValues: { ":generation": generation },
  });
  await db.send(pointer).catch((error: unknown) => {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  });
}

interface Product {
  /** The product's id. */
  readonly sk: string;
  readonly name: string;
}

/** For each word of a product's name, in small letters: the ids of the products that have it. */
export function productsByTerm(products: readonly Product[]): Record<string, string[]> {
  const index: Record<string, string[]> = {};
  for (const { sk: id, name } of products) {
    for (const term of new Set(name.toLowerCase().match(/[\p{L}\p{N}]+/gu))) {
      index[term] = [...(index[term] ?? []), id];
    }
  }
  return index;
}

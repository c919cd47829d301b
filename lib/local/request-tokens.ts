import { createHash } from "node:crypto";
import { type Change, fault, type Store } from "./dynalite-parts.ts";

/** How long DynamoDB remembers a transaction's `ClientRequestToken`. */
const REMEMBERED_MS = 10 * 60_000;
const PREFIX = "token~";

interface Remembered {
  readonly hash: string;
  readonly doneMs: number;
}

/**
 * Whether a transaction with this token was done within the last 10 minutes.
 * @throws Fault IdempotentParameterMismatchException when it was another one
 */
export async function wasDone(store: Store, token: string, items: unknown, nowMs: number): Promise<boolean> {
  const known = (await store.db.get(PREFIX + token)) as Remembered | undefined;
  if (!known || isForgotten(known, nowMs)) return false;
  if (known.hash === hashOf(items)) return true;
  throw fault(
    "com.amazonaws.dynamodb.v20120810#IdempotentParameterMismatchException",
    "The provided client request token was used with a different set of transaction items.",
  );
}

/** What remembers a token, and forgets the old ones: part of the transaction's own batch. */
export async function rememberToken(store: Store, token: string, items: unknown, nowMs: number): Promise<Change[]> {
  const changes: Change[] = [];
  for await (const [key, known] of store.db.iterator({ gte: PREFIX, lt: `${PREFIX}\uFFFF` })) {
    if (isForgotten(known as Remembered, nowMs)) changes.push({ type: "del", key });
  }
  const remembered: Remembered = { hash: hashOf(items), doneMs: nowMs };
  return [...changes, { type: "put", key: PREFIX + token, value: remembered }];
}

function isForgotten({ doneMs }: Remembered, nowMs: number): boolean {
  return doneMs + REMEMBERED_MS <= nowMs;
}

function hashOf(items: unknown): string {
  return createHash("sha256").update(JSON.stringify(items)).digest("hex");
}

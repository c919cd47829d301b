import PQueue from "p-queue";
import {
  type Change,
  carryOut,
  check,
  type Fault,
  fault,
  type Item,
  type ItemDb,
  isFault,
  type Json,
  readItem,
  rules,
  type Store,
  type Table,
  tableOf,
} from "./dynalite-parts.ts";
import { type ItemWrite, isRefusal, noteChanges, wantsItem } from "./item-writes.ts";
import { rememberToken, wasDone } from "./request-tokens.ts";

/**
 * DynamoDB's transactions, which dynalite does not have.
 *
 * They are carried out one at a time, each holding the locks of its items, so that no single write comes between its
 * conditions and its changes; the changes are one batch of LevelDB, which is written as a whole or not at all. Nothing
 * ever conflicts here: what DynamoDB may cancel with `TransactionConflict` waits.
 */
export interface Transactions {
  /** `TransactWriteItems`. @throws Fault */
  write(input: Json): Promise<Json>;
  /** `TransactGetItems`. @throws Fault */
  read(input: Json): Promise<Json>;
}

const MAX_ITEMS = 100;
const MAX_BYTES = 4 * 1024 * 1024;
const VALIDATION = "com.amazon.coral.validate#ValidationException";

/** What each kind of item is, as a request of its own. */
const WRITES = { Put: "PutItem", Update: "UpdateItem", Delete: "DeleteItem", ConditionCheck: "DeleteItem" } as const;
type Kind = keyof typeof WRITES;

/** One item of a transaction. An item that is wrong in itself keeps its fault: it cancels the transaction. */
interface Part {
  readonly kind: Kind;
  readonly operation: ItemWrite;
  readonly input: Json;
  readonly db: ItemDb;
  readonly key: string | Fault;
}

export function createTransactions(store: Store, clock: () => number): Transactions {
  const queue = new PQueue({ concurrency: 1 });
  return {
    write: (input) => queue.add(() => write(store, input, clock())),
    read: (input) => queue.add(() => read(store, input)),
  };
}

async function write(store: Store, input: Json, nowMs: number): Promise<Json> {
  const items = itemsOf(input);
  const token = input["ClientRequestToken"];
  if (token !== undefined && (typeof token !== "string" || token.length < 1 || token.length > 36)) {
    throw invalid("clientRequestToken", "Member must have length from 1 to 36");
  }
  const parts: Part[] = [];
  for (const item of items) parts.push(await partOf(store, item));
  refuseRepetition(parts);
  if (token !== undefined && (await wasDone(store, token, items, nowMs))) return {};

  const unlock = await lockAll(parts);
  try {
    const changes: Change[] = [];
    const noting = noteChanges(store, changes);
    const reasons: Json[] = [];
    for (const part of parts) reasons.push(await tryPart(noting, part));
    if (reasons.some(({ Code }) => Code !== "None")) throw cancelled(reasons);
    if (token !== undefined) changes.push(...(await rememberToken(store, token, items, nowMs)));
    await store.db.batch(changes);
    return {};
  } finally {
    unlock();
  }
}

async function read(store: Store, input: Json): Promise<Json> {
  const gets = itemsOf(input).map((item) => {
    if (item["Get"] === undefined) throw invalid("transactItems.member.get", "Member must not be null");
    return check(store, "GetItem", { ...(item["Get"] as Json), ConsistentRead: true });
  });
  const locked: Pick<Part, "db" | "key">[] = [];
  for (const get of gets) locked.push(await placeOf(store, get));
  const unlock = await lockAll(locked);
  try {
    const responses: Json[] = [];
    for (const get of gets) responses.push(await carryOut(store, "GetItem", get));
    return { Responses: responses.map(({ Item }) => (Item === undefined ? {} : { Item })) };
  } finally {
    unlock();
  }
}

function itemsOf({ TransactItems: items }: Json): Json[] {
  if (!Array.isArray(items)) throw invalid("transactItems", "Member must not be null");
  if (items.length < 1) throw invalid("transactItems", "Member must have length greater than or equal to 1");
  if (items.length > MAX_ITEMS) {
    throw invalid("transactItems", `Member must have length less than or equal to ${MAX_ITEMS}`);
  }
  if (Buffer.byteLength(JSON.stringify(items)) > MAX_BYTES) {
    throw fault(VALIDATION, "The transaction's items together exceed 4 MB");
  }
  return items as Json[];
}

async function partOf(store: Store, item: Json): Promise<Part> {
  const [kind, ...others] = Object.keys(item).filter((name): name is Kind => name in WRITES);
  if (kind === undefined || others.length > 0) {
    throw fault(VALIDATION, "TransactItems can only contain one of Check, Put, Update or Delete");
  }
  const given = item[kind] as Json;
  const needed = { ConditionCheck: "ConditionExpression", Update: "UpdateExpression", Put: "Item", Delete: "Key" }[
    kind
  ];
  if (given[needed] === undefined) {
    throw invalid(`transactItems.member.${kind}.${needed}`, "Member must not be null");
  }
  const operation = WRITES[kind];
  const input = check(store, operation, given);
  const wanted = wantsItem(given) && { ReturnValuesOnConditionCheckFailure: "ALL_OLD" };
  return { kind, operation, input: { ...input, ...wanted }, ...(await placeOf(store, input)) };
}

async function placeOf(store: Store, input: Json): Promise<Pick<Part, "db" | "key">> {
  const name = String(input["TableName"]);
  const table = await tableOf(store, name);
  return { db: store.getItemDb(name), key: keyOf(input, table) };
}

function keyOf(input: Json, table: Table): string | Fault {
  const item = input["Item"] as Item | undefined;
  const key = input["Key"] as Item;
  const wrong = item ? rules.validateItem(item, table) : rules.validateKey(key, table);
  return wrong ?? rules.createKey(item ?? key, table);
}

function refuseRepetition(parts: readonly Part[]): void {
  const seen = new Map<ItemDb, Set<string>>();
  for (const { db, key } of parts) {
    if (typeof key !== "string") continue;
    const keys = seen.get(db) ?? new Set();
    if (keys.has(key)) {
      throw fault(VALIDATION, "Transaction request cannot include multiple operations on one item");
    }
    seen.set(db, keys.add(key));
  }
}

/** In any order: this is the only transaction, and a single write holds one lock. */
async function lockAll(parts: readonly Pick<Part, "db" | "key">[]): Promise<() => void> {
  const places = new Map<ItemDb, Set<string>>();
  for (const { db, key } of parts) {
    if (typeof key === "string") places.set(db, (places.get(db) ?? new Set()).add(key));
  }
  const unlocks: (() => void)[] = [];
  for (const [db, keys] of places) for (const key of keys) unlocks.push(await lock(db, key));
  return () => {
    for (const unlock of unlocks) unlock();
  };
}

function lock(db: ItemDb, key: string): Promise<() => void> {
  return new Promise((resolve) => db.lock(key, (release) => resolve(release(() => {}))));
}

/** Notes an item's changes; answers the reason that cancels the transaction, or `None`. */
async function tryPart(noting: Store, { kind, operation, input, db, key }: Part): Promise<Json> {
  try {
    if (typeof key !== "string") throw key;
    if (kind !== "ConditionCheck") await carryOut(noting, operation, input);
    else {
      const refusal = rules.checkConditional(input, await readItem(db, key));
      if (refusal) throw refusal;
    }
    return { Code: "None" };
  } catch (error) {
    if (!isFault(error)) throw error;
    if (!isRefusal(error)) return { Code: "ValidationError", Message: error.message };
    const item = wantsItem(input) && typeof key === "string" ? await readItem(db, key) : undefined;
    return { Code: "ConditionalCheckFailed", Message: error.message, ...(item && { Item: item }) };
  }
}

function cancelled(reasons: readonly Json[]): Fault {
  const codes = reasons.map(({ Code }) => Code).join(", ");
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  const more = { Message: message, CancellationReasons: reasons };
  return fault("com.amazonaws.dynamodb.v20120810#TransactionCanceledException", message, more);
}

function invalid(member: string, constraint: string): Fault {
  return fault(
    VALIDATION,
    `1 validation error detected: Value at '${member}' failed to satisfy constraint: ${constraint}`,
  );
}

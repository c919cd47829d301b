import {
  type Change,
  carryOut,
  check,
  type Fault,
  faultName,
  type Item,
  type ItemDb,
  isFault,
  type Json,
  type Operation,
  type Store,
} from "./dynalite-parts.ts";

export type ItemWrite = Extract<Operation, "PutItem" | "UpdateItem" | "DeleteItem">;

/** Whether a request wants the item that its condition failed on, which dynalite does not return. */
export function wantsItem(input: Json): boolean {
  return input["ReturnValuesOnConditionCheckFailure"] === "ALL_OLD";
}

/** A write whose refusal comes with the item as it stands, as it was when the condition was looked at. @throws Fault */
export async function writeItem(store: Store, operation: ItemWrite, input: Json): Promise<Json> {
  let found: Item | undefined;
  const watched = withItemDbs(store, (db) => ({
    ...db,
    get: (key, done) =>
      db.get(key, (error, item) => {
        found = item;
        done(error, item);
      }),
  }));
  try {
    return await carryOut(watched, operation, check(store, operation, input));
  } catch (error) {
    if (isFault(error) && isRefusal(error) && found) error.body["Item"] = found;
    throw error;
  }
}

/** A store that notes its changes instead of making them, for a batch. Whoever uses it holds the items' locks. */
export function noteChanges(store: Store, changes: Change[]): Store {
  return withItemDbs(store, (db, prefix) => ({
    get: db.get,
    lock: (_key, work) => work((done) => done),
    put(key, value, done) {
      changes.push({ type: "put", key: prefix + key, value });
      done();
    },
    del(key, done) {
      changes.push({ type: "del", key: prefix + key });
      done();
    },
  }));
}

export function isRefusal(error: Fault): boolean {
  return faultName(error) === "ConditionalCheckFailedException";
}

/** The prefixes are dynalite's own: a table's items and its indexes lie beside each other in one LevelDB. */
function withItemDbs(store: Store, wrap: (db: ItemDb, prefix: string) => ItemDb): Store {
  return {
    ...store,
    getItemDb: (table) => wrap(store.getItemDb(table), `item-${table}~`),
    getIndexDb: (kind, table, index) =>
      wrap(store.getIndexDb(kind, table, index), `index-${kind.toLowerCase()}~${table}~${index}~`),
  };
}

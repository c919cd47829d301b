import { type TransactWriteItem, TransactWriteItemsCommand } from "@aws-sdk/client-dynamodb";
import type { TransactWriteCommandInput } from "@aws-sdk/lib-dynamodb";
import type { Hold } from "../run/outcome.ts";
import type { RunRecord } from "../run/record.ts";
import { toAttributes } from "./attributes.ts";
import { cancellationOf, errorFor } from "./cancellation.ts";
import { encodeRecord } from "./codec.ts";
import { type Condition, isHeldBy, mayReplaceRecord } from "./conditions.ts";
import { toStoreError, WriteError } from "./errors.ts";
import { Expressions } from "./expressions.ts";
import { type Key, lockKey, runKey, stateKey } from "./keys.ts";
import type { TableOptions } from "./sender.ts";

/** An item of a `TransactWriteCommand` of `@aws-sdk/lib-dynamodb`: a Put, Update, Delete or ConditionCheck. */
export type TransactItem = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];

/** The transactions of runs' handlers. Each also checks that the run still holds its job's lock. */
export interface FencedStore {
  /**
   * @param record written along with the items, under the condition of every record
   * @param token makes a repetition of the request harmless for 10 minutes
   * @throws WriteError when nothing was written, for a reason that sending it again does not change
   * @throws StoreError for every real fault. Whether the items were written is not known then, but for STORE_CONFLICT
   */
  transact(hold: Hold, items: readonly TransactItem[], token: string, record?: RunRecord): Promise<void>;
}

/** DynamoDB's limit for one transaction. */
const MAX_ITEMS = 100;

export function createFencedStore({ client, tableName, fleet }: TableOptions): FencedStore {
  return {
    async transact(hold, items, token, record) {
      const put = record && putOf(record, tableName, fleet);
      // Without a lock the record is what is checked: writing it does that, and a transaction takes an item only once.
      const checks = put && hold.delivery.overlap === "allow" ? [] : checksOf(hold, tableName, fleet);
      const own = [...checks, ...(put ? [put] : [])];
      if (items.length + own.length > MAX_ITEMS) throw tooMany(items.length, MAX_ITEMS - own.length);
      const command = new TransactWriteItemsCommand({
        TransactItems: [...own, ...items.map(toAttributeItem)],
        ClientRequestToken: token,
      });
      try {
        await client.send(command);
      } catch (error) {
        const reasons = cancellationOf(error);
        if (reasons) {
          const locks = reasons.slice(0, checks.length);
          const written = put && reasons[own.length - 1];
          throw errorFor(hold, { locks, record: written, items: reasons.slice(own.length) });
        }
        throw toStoreError(error, `write ${items.length} items for run ${hold.delivery.runId}`, tableName);
      }
    },
  };
}

/**
 * The full fence: the lock, or without one the run's record, is this invocation's, and so nobody has acquired it since:
 * an owner that is gone never comes back. The fence is not asked, since runs without a lock move it on.
 */
function checksOf({ delivery }: Hold, tableName: string, fleet: string): TransactWriteItem[] {
  const { job, runId, overlap, owner, locks = [] } = delivery;
  const key = overlap === "allow" ? runKey(fleet, job, runId) : stateKey(fleet, job);
  return [key, ...locks.map((lock) => lockKey(fleet, lock))].map((held) => checkOf(tableName, held, isHeldBy(owner)));
}

function checkOf(tableName: string, key: Key, condition: Condition): TransactWriteItem {
  const text = new Expressions();
  return {
    ConditionCheck: {
      TableName: tableName,
      Key: toAttributes(key),
      ConditionExpression: text.condition(condition),
      ExpressionAttributeNames: text.names,
      ExpressionAttributeValues: toAttributes(text.values),
    },
  };
}

function putOf(record: RunRecord, tableName: string, fleet: string): TransactWriteItem {
  const text = new Expressions();
  const condition = text.condition(mayReplaceRecord(record));
  return {
    Put: {
      TableName: tableName,
      Item: toAttributes(encodeRecord(fleet, record)),
      ConditionExpression: condition,
      ExpressionAttributeNames: text.names,
      ExpressionAttributeValues: toAttributes(text.values),
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    },
  };
}

/** The document client's shapes in DynamoDB's own. As there, what is `undefined` is left out. */
function toAttributeItem(item: TransactItem): TransactWriteItem {
  const entries = Object.entries(item).map(([kind, write]) => {
    const { Item, Key, ExpressionAttributeValues, ...same } = write as Record<string, object | undefined>;
    const marshalled = { Item, Key, ExpressionAttributeValues };
    const given = Object.entries(marshalled).flatMap(([name, value]) => (value ? [[name, toAttributes(value)]] : []));
    return [kind, { ...same, ...Object.fromEntries(given) }];
  });
  return Object.fromEntries(entries) as TransactWriteItem;
}

function tooMany(given: number, allowed: number): WriteError {
  const problem = `The transaction has ${given} items. Allowed: up to ${allowed}, since DynamoDB takes 100 and the run adds its own.`;
  return new WriteError("WRITE_INVALID", problem);
}

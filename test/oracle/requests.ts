import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import type { Random } from "../simulation/random.ts";

export const TABLES = ["accounts", "entries"] as const;

/** The items of a transaction; or one that is written alone, by a request of its own. */
export interface OracleRequest {
  readonly alone: boolean;
  readonly items: readonly TransactWriteItem[];
}

/** A request on a handful of items, so that most conditions are about something. */
export function randomRequest(random: Random): OracleRequest {
  if (random.chance(0.6)) return { alone: true, items: [randomItem(random, ["Put", "Update", "Delete"])] };
  const items = Array.from({ length: 1 + random.upTo(3) }, () =>
    randomItem(random, ["Put", "Update", "Delete", "ConditionCheck"]),
  );
  // Repetitions are refused as a whole: worth some of the requests only.
  return { alone: false, items: random.chance(0.1) ? items : withoutRepetitions(items) };
}

function withoutRepetitions(items: readonly TransactWriteItem[]): TransactWriteItem[] {
  return [...new Map(items.map((item) => [placeOf(item), item])).values()];
}

function placeOf(item: TransactWriteItem): string {
  const write = Object.values(item)[0] as { TableName: string; Key?: unknown; Item?: { id: unknown } };
  return JSON.stringify([write.TableName, write.Key ?? { id: write.Item?.id }]);
}

function randomItem(random: Random, kinds: readonly (keyof TransactWriteItem)[]): TransactWriteItem {
  const kind = random.pick(kinds);
  const id = { S: random.pick(["a", "b", "c"]) };
  const UpdateExpression = kind === "Update" ? random.pick(UPDATES) : undefined;
  const isConditional = kind === "ConditionCheck" || random.chance(0.6);
  const ConditionExpression = isConditional ? random.pick(CONDITIONS) : undefined;
  const write = {
    TableName: random.pick(TABLES),
    ...(kind === "Put" ? { Item: randomContent(random, id) } : { Key: { id } }),
    UpdateExpression,
    ConditionExpression,
    ExpressionAttributeValues: valuesIn(`${UpdateExpression} ${ConditionExpression}`),
    ReturnValuesOnConditionCheckFailure: random.pick(["ALL_OLD", "NONE"]),
  };
  return { [kind]: write } as TransactWriteItem;
}

function randomContent(random: Random, id: { S: string }): object {
  return { id, n: { N: String(random.upTo(4)) }, ...(random.chance(0.5) && { s: { S: "x" } }) };
}

const UPDATES = [
  "SET n = :one",
  "SET n = if_not_exists(n, :one)",
  "ADD n :one",
  "REMOVE s",
  "SET s = :x REMOVE n",
  "ADD n :one SET s = :x",
];

const CONDITIONS = [
  "attribute_exists(id)",
  "attribute_not_exists(id)",
  "attribute_not_exists(n) OR n <= :two",
  "(n = :one OR n = :two) AND attribute_exists(s)",
  "NOT s = :x",
  "n BETWEEN :one AND :two",
  "begins_with(s, :x)",
  "n IN (:one, :two)",
];

const VALUES = { ":one": { N: "1" }, ":two": { N: "2" }, ":x": { S: "x" } };

function valuesIn(text: string): object | undefined {
  const used = Object.entries(VALUES).filter(([name]) => text.includes(name));
  return used.length > 0 ? Object.fromEntries(used) : undefined;
}

import { fault, type Json, type Store, tableOf } from "./dynalite-parts.ts";

const VALIDATION = "com.amazon.coral.validate#ValidationException";

interface TimeToLive {
  readonly AttributeName: string;
  readonly Enabled: boolean;
}

/** Remembers what a table's items expire by. Nothing expires here; DynamoDB itself deletes days late. @throws Fault */
export async function updateTimeToLive(store: Store, input: Json): Promise<Json> {
  const key = await timeToLiveKey(store, input);
  const wanted = input["TimeToLiveSpecification"] as Partial<TimeToLive> | undefined;
  if (typeof wanted?.AttributeName !== "string" || typeof wanted.Enabled !== "boolean") {
    throw fault(VALIDATION, "TimeToLiveSpecification needs an AttributeName and Enabled");
  }
  const { AttributeName, Enabled } = wanted;
  const current = (await store.db.get(key)) as TimeToLive | undefined;
  if ((current?.Enabled ?? false) === Enabled) {
    throw fault(VALIDATION, `TimeToLive is already ${Enabled ? "enabled" : "disabled"}`);
  }
  if (current?.Enabled && current.AttributeName !== AttributeName) {
    const active = `current AttributeName is ${current.AttributeName}`;
    throw fault(VALIDATION, `TimeToLive is active on a different AttributeName: ${active}`);
  }
  await store.db.batch([{ type: "put", key, value: { AttributeName, Enabled } }]);
  return { TimeToLiveSpecification: { AttributeName, Enabled } };
}

/** @throws Fault */
export async function describeTimeToLive(store: Store, input: Json): Promise<Json> {
  const current = (await store.db.get(await timeToLiveKey(store, input))) as TimeToLive | undefined;
  if (!current?.Enabled) return { TimeToLiveDescription: { TimeToLiveStatus: "DISABLED" } };
  return { TimeToLiveDescription: { TimeToLiveStatus: "ENABLED", AttributeName: current.AttributeName } };
}

/** There are no backups here: the answer is that of a table with point-in-time recovery switched off. @throws Fault */
export async function describeContinuousBackups(store: Store, input: Json): Promise<Json> {
  await tableOf(store, String(input["TableName"]));
  return {
    ContinuousBackupsDescription: {
      ContinuousBackupsStatus: "ENABLED",
      PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: "DISABLED" },
    },
  };
}

/** By the table's id: a table that is dropped and made again begins anew. */
async function timeToLiveKey(store: Store, input: Json): Promise<string> {
  const { TableId } = await tableOf(store, String(input["TableName"]));
  return `ttl~${TableId}`;
}

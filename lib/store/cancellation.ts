import type { AttributeValue, CancellationReason } from "@aws-sdk/client-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import type { Hold } from "../run/outcome.ts";
import { decodeRecord } from "./codec.ts";
import { StoreError, WriteError, type WriteReason } from "./errors.ts";

/** Why DynamoDB cancelled a transaction, item by item; undefined for any other error. */
export function cancellationOf(error: unknown): WriteReason[] | undefined {
  if (!(error instanceof Error) || error.name !== "TransactionCanceledException") return undefined;
  const { CancellationReasons = [] } = error as { CancellationReasons?: CancellationReason[] };
  return CancellationReasons.map(({ Code = "None", Message, Item }) => ({
    code: Code,
    ...(Message !== undefined && { message: Message }),
    ...(Item && { item: unmarshall(Item as Record<string, AttributeValue>) }),
  }));
}

/**
 * What a cancelled transaction of a run means for its handler.
 * @param locks of the checks that the run holds its lock, and shared ones
 * @param record of the run's record, where the transaction writes it
 * @param items of the handler's items
 */
export function errorFor(
  hold: Hold,
  { locks, record, items }: { locks: WriteReason[]; record?: WriteReason | undefined; items: WriteReason[] },
): WriteError | StoreError {
  const run = `Run ${hold.delivery.runId}`;
  const found = record && isRefused(record) && record.item ? decodeRecord(record.item) : undefined;
  if (found && found.fence === hold.fencingToken && found.status === "SUCCEEDED") {
    return new WriteError("WRITE_COMMITTED", `${run} has committed before; of this commit nothing was written.`);
  }
  if (locks.some(isRefused) || (record && isRefused(record))) {
    const problem = found ? `its record is ${found.status}` : "it does not hold its locks any more";
    return new WriteError("WRITE_FENCED", `${run} wrote nothing: ${problem}.`);
  }
  const refused = items.filter(isRefused).length;
  if (refused > 0) {
    const problem = `the conditions of ${refused} of its ${items.length} items did not hold`;
    return new WriteError("WRITE_REFUSED", `${run} wrote nothing: ${problem}.`, items);
  }
  const causes = [...locks, record, ...items].filter((reason) => reason !== undefined && reason.code !== "None");
  const shown = causes.map((reason) => `${reason?.code}: ${reason?.message ?? ""}`).join("; ");
  const passes = causes.some((reason) => reason && PASSING.includes(reason.code));
  return new StoreError(passes ? "STORE_CONFLICT" : "STORE_REJECTED", `${run} wrote nothing: ${shown}`);
}

/** Another request held an item, or there was no capacity. */
const PASSING = ["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"];

function isRefused({ code }: WriteReason): boolean {
  return code === "ConditionalCheckFailed";
}

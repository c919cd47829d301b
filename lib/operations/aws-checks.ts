import { DescribeTimeToLiveCommand, type DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SKEW_TOLERANCE_MS } from "../run/index.ts";
import { TTL_ATTRIBUTE } from "../store/index.ts";
import { awsError } from "./aws-errors.ts";
import type { Finding } from "./types.ts";

/** Records are removed only where the table has expiry switched on, for the attribute that they carry it in. */
export async function expiryFinding(client: DynamoDBClient, tableName: string): Promise<Finding> {
  const check = "expiry";
  try {
    const { TimeToLiveDescription: found } = await client.send(new DescribeTimeToLiveCommand({ TableName: tableName }));
    const isOn = found?.TimeToLiveStatus === "ENABLED" && found.AttributeName === TTL_ATTRIBUTE;
    if (isOn) return { check, level: "ok", message: `by ${TTL_ATTRIBUTE}` };
    const message = `table ${tableName} does not remove old records: its expiry is ${found?.TimeToLiveStatus ?? "not set"}`;
    return { check, level: "warning", message, advice: "Deploy the stack again, or switch its TTL on." };
  } catch (error) {
    return unchecked(check, error, `the expiry of ${tableName}`);
  }
}

/** @param serverMs AWS's own time, in whole seconds, as it was at `nowMs` of this machine */
export function clockFinding(serverMs: number, nowMs: number): Finding {
  const check = "clock";
  const aheadMs = nowMs < serverMs ? nowMs - serverMs : Math.max(0, nowMs - serverMs - 999);
  if (Math.abs(aheadMs) <= SKEW_TOLERANCE_MS) return { check, level: "ok", message: "agrees with AWS" };
  return {
    check,
    level: "warning",
    message: `this machine's clock is ${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? "ahead of" : "behind"} AWS's`,
    advice: "Set it by a time server: what is shown as due, late or dead here is judged by it.",
  };
}

/** A check that AWS did not let us make. */
export function unchecked(check: string, error: unknown, what: string): Finding {
  const { message } = awsError(error, `${what} could not be checked`) as Error;
  return { check, level: "warning", message, advice: "The stack's managed policy -read allows what this check asks." };
}

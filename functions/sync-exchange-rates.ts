import { ConditionalCheckFailedException, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, PutCommand } from "@aws-sdk/lib-dynamodb";
import { type Run, rate, scheduled } from "escapement";
import { readRates } from "./sources/exchange-rates.ts";

const db = DynamoDBDocumentClient.from(new DynamoDBClient());

/**
 * Keeps the euro reference rates of every minute, and the newest ones at hand.
 *
 * Idempotent by its window: a minute's rates are written under that minute, and `latest` only moves forward, so that
 * a repeated or a late run changes nothing that is already right. The feed, which counts its readers, is read in a step:
 * if storing the rates fails, the next attempt gets the ones that were read.
 */
export const handler = scheduled(
  {
    description: "Stores the euro reference rates of each minute",
    schedule: rate("1 minute"),
    timeout: "30 seconds",
  },
  syncRates,
);

/** Writes the rates of the run's minute, and makes them the latest ones unless newer ones are in place. */
export async function syncRates(run: Pick<Run, "scheduledTime" | "signal" | "log" | "step">) {
  const TableName = process.env["EXCHANGE_RATES_TABLE"];
  const minute = `${run.scheduledTime.toISOString().slice(0, 16)}Z`;
  const rates = await run.step("read rates", () => readRates(minute, run.signal));

  await db.send(new PutCommand({ TableName, Item: { pk: "EUR", sk: minute, rates } }));
  await db
    .send(
      new PutCommand({
        TableName,
        Item: { pk: "EUR", sk: "latest", minute, rates },
        ConditionExpression: "attribute_not_exists(#minute) OR #minute <= :minute",
        ExpressionAttributeNames: { "#minute": "minute" },
        ExpressionAttributeValues: { ":minute": minute },
      }),
    )
    .catch((error: unknown) => {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      run.log.info("Newer rates are in place already", { minute });
    });
  return { minute, currencies: Object.keys(rates).length };
}

import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, PutCommand } from "@aws-sdk/lib-dynamodb";
import { cron, type Run, scheduled } from "escapement";
import { type Order, ordersOf } from "./sources/orders.ts";

const timeZone = "Europe/Berlin";
const db = DynamoDBDocumentClient.from(new DynamoDBClient());

/**
 * Adds up each business day's orders into one closing, in the night after it.
 *
 * The window runs from the last successful run to this one, so a night without a run (in spring the clocks skip 02:30)
 * loses no day. Idempotent by its window: a day's closing is one item, and closing it again writes the same.
 */
export const handler = scheduled(
  {
    description: "Adds up the orders of each business day",
    schedule: cron("30 2 * * ? *", { timeZone }),
    timeout: "5 minutes",
    maxLateness: "1 hour",
    retries: 3,
  },
  closeDays,
);

/** Writes the closing of each day in the run's window. */
export async function closeDays(run: Pick<Run, "id" | "scheduledTime" | "previousSuccess" | "progress">) {
  const days = daysToClose(run.previousSuccess?.scheduledTime, run.scheduledTime);
  for (const [closed, day] of days.entries()) {
    const totals = addUp(await ordersOf(day));
    await db.send(
      new PutCommand({
        TableName: process.env["BUSINESS_DAYS_TABLE"],
        Item: { pk: day, sk: "closing", ...totals, closedBy: run.id },
      }),
    );
    run.progress((closed + 1) / days.length, day);
  }
  return { days };
}

/** The number of orders, and the revenue in cents by currency. */
export function addUp(orders: readonly Pick<Order, "currency" | "amountCents">[]): {
  orders: number;
  revenueCents: Record<string, number>;
} {
  const revenueCents: Record<string, number> = {};
  for (const { currency, amountCents } of orders) {
    revenueCents[currency] = (revenueCents[currency] ?? 0) + amountCents;
  }
  return { orders: orders.length, revenueCents };
}

/** The business days that ended since the previous success and before `until`; without a success, the last one. */
export function daysToClose(since: Date | undefined, until: Date): string[] {
  const today = localDay(until);
  const days = [];
  for (let day = since ? localDay(since) : shift(today, -1); day < today; day = shift(day, 1)) days.push(day);
  return days;
}

/** The day in the company's own zone, as `2026-05-01`. */
function localDay(time: Date): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(time);
}

function shift(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

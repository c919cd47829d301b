import { cron, type Run, scheduled, type TransactItem } from "escapement";
import { type Order, ordersOf } from "./sources/orders.ts";

const COMMISSION_PERCENT = 5;
const DAY_MS = 86_400_000;

/**
 * Credits the sellers with their commission on the orders of each day.
 *
 * To add to a balance twice would pay twice, so this is not idempotent by itself: the balances and the run's success are
 * written by one commit, exactly once. One transaction holds the balances of 98 sellers; more need a job for each region.
 */
export const handler = scheduled(
  {
    description: "Credits the sellers with their commission",
    schedule: cron("0 4 * * ? *"),
    timeout: "2 minutes",
    retries: 5,
  },
  payCommissions,
);

/** Commits what each seller earned in the run's window. */
export async function payCommissions(run: Pick<Run, "id" | "scheduledTime" | "previousSuccess" | "commit">) {
  const days = daysToPay(run.previousSuccess?.scheduledTime, run.scheduledTime);
  const orders: Order[] = [];
  for (const day of days) orders.push(...(await ordersOf(day)));
  const commissions = commissionCents(orders);

  const result = { days, sellers: commissions.size };
  const credits = [...commissions].map(([seller, cents]) => credit(seller, cents, run.id));
  await run.commit(credits, result);
  return result;
}

function credit(seller: string, cents: number, paidBy: string): TransactItem {
  return {
    Update: {
      TableName: process.env["BALANCES_TABLE"],
      Key: { pk: seller, sk: "balance" },
      UpdateExpression: "ADD #cents :cents SET #paidBy = :paidBy",
      ExpressionAttributeNames: { "#cents": "cents", "#paidBy": "paidBy" },
      ExpressionAttributeValues: { ":cents": cents, ":paidBy": paidBy },
    },
  };
}

/** What each seller earned, in whole cents, each order rounded down. */
export function commissionCents(orders: readonly Pick<Order, "seller" | "amountCents">[]): Map<string, number> {
  const cents = new Map<string, number>();
  for (const { seller, amountCents } of orders) {
    const earned = Math.floor((amountCents * COMMISSION_PERCENT) / 100);
    cents.set(seller, (cents.get(seller) ?? 0) + earned);
  }
  return cents;
}

/** The days in UTC that ended since the previous success and before `until`; without a success, the last one. */
export function daysToPay(since: Date | undefined, until: Date): string[] {
  const today = Math.floor(until.getTime() / DAY_MS);
  const first = since ? Math.floor(since.getTime() / DAY_MS) : today - 1;
  const days = [];
  for (let day = first; day < today; day++) days.push(new Date(day * DAY_MS).toISOString().slice(0, 10));
  return days;
}

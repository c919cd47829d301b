import type { Context } from "aws-lambda";
import { scheduled } from "../../lib/lambda/scheduled.ts";
import { rate } from "../../lib/schedule/index.ts";

/** One of two processes that get the same events: a function as it is deployed, fed by its parent. */

let handled = 0;

const handler = scheduled({ schedule: rate("1 minute"), maxLateness: "1 hour" }, async () => {
  handled += 1;
});

process.on("message", async ({ event, requestId }: { event: unknown; requestId: string }) => {
  const context = { awsRequestId: requestId, getRemainingTimeInMillis: () => 60_000 } as Context;
  const answer = await handler(event, context).catch((error: unknown) => ({ failed: String(error) }));
  process.send?.({ answer, handled });
});

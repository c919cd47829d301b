import { expect, onTestFinished, test } from "vitest";
import { stackWorkers } from "../../../lib/dashboard/server/stack-workers.ts";
import { createOperations } from "../../../lib/operations/operations.ts";
import { backendOn, nightly, openFleet } from "../../operations/fleet.ts";

test("a run at work stands for its environment, by its log stream; one that has ended for none", async () => {
  const fleet = await openFleet();
  onTestFinished(() => fleet.close());
  await fleet.register.putFleetJob(nightly, Date.UTC(2026, 4, 1));
  await fleet.register.putFleetJob({ ...nightly, job: "idle", functionName: "shop-dev-idle" }, Date.UTC(2026, 4, 1));
  const now = Date.UTC(2026, 4, 3, 0, 30);
  await fleet.run(now - 60_000, { runId: "2026-05-03T00:29:00.000Z#manual#a" }, { status: "SUCCEEDED" });
  const runId = "2026-05-03T00:30:00.000Z#manual#b";
  await fleet.start(now, { runId, logStream: "2026/05/03/[$LATEST]abc", requestId: "request-b" });

  expect(await stackWorkers(createOperations(backendOn(fleet, () => now + 1_000)))).toEqual([
    {
      id: "2026/05/03/[$LATEST]abc",
      job: "nightly",
      functionName: "shop-dev-nightly",
      state: "busy",
      runId,
      requestId: "request-b",
      since: "2026-05-03T00:30:00Z",
      heardAt: "2026-05-03T00:30:00Z",
    },
  ]);
});

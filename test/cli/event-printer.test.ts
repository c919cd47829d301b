import { expect, test } from "vitest";
import { createEventPrinter } from "../../lib/cli/event-printer.ts";

const job = { job: "nightly", functionName: "shop-dev-nightly", schedules: [] };
const log = (functionName: string, entry: object) =>
  ({ kind: "log", functionName, atMs: 0, line: JSON.stringify(entry) }) as const;

test("a line of a job is under its name, one of the watchdog under its own, with the run that it is about", () => {
  const printed: string[] = [];
  const printer = createEventPrinter(
    (line) => printed.push(line),
    () => 0,
  );
  printer.take(log("shop-dev-nightly", { message: "read", job: "nightly", runId: "2026-05-02T00:30:00.000Z#default" }));
  printer.release([job]);
  printer.take(
    log("shop-dev_watchdog", {
      message: "started: catch-up",
      job: "nightly",
      runId: "2026-05-02T00:30:00.000Z#default",
    }),
  );
  printer.take(log("shop-dev_watchdog", { message: "not judged", job: "nightly" }));
  printer.take(log("shop-dev_watchdog", { message: "looked" }));
  printer.take({ ...log("shop-dev_watchdog", {}), line: "raw" });
  expect(printed).toEqual([
    "nightly read",
    "shop-dev_watchdog (nightly 2026-05-02T00:30:00.000Z#default) started: catch-up",
    "shop-dev_watchdog (nightly) not judged",
    "shop-dev_watchdog looked",
    "shop-dev_watchdog | raw",
  ]);
});

import { join } from "node:path";
import type { Clock } from "./clock.ts";
import { type EmbeddedDynamo, openEmbeddedDynamo } from "./embedded-table.ts";
import type { Tell } from "./events.ts";
import type { Faults } from "./faults.ts";

export interface RunnerTablesOptions {
  readonly stateDir: string;
  readonly port: number;
  readonly clock: Clock;
  readonly faults: Faults;
  /** Of the handlers. Requests with another key, as the command line's and the dashboard's, meet no faults. */
  readonly accessKeyId: string;
  readonly tell: Tell;
}

/** Opens the runner's tables, with the faults that were asked for. Each is told. */
export function openRunnerTables(options: RunnerTablesOptions): Promise<EmbeddedDynamo> {
  const { stateDir, port, clock, faults, accessKeyId, tell } = options;
  return openEmbeddedDynamo({
    dir: join(stateDir, "dynamodb"),
    port,
    clock: () => clock.nowMs(),
    drawFault(operation, authorization) {
      const fault = authorization.includes(accessKeyId) ? faults.ofRequest() : undefined;
      if (fault) {
        const what = fault === "throttled" ? "throttled" : "carried out, and its reply lost";
        tell({ kind: "fault", fault, message: `${operation}: ${what}` });
      }
      return fault;
    },
  });
}

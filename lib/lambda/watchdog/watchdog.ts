import type { DeployedSchedule } from "../../run/index.ts";
import type { FleetRegister, RunQueries, RunStore, WatchStore } from "../../store/index.ts";
import type { RunLog } from "../log.ts";
import type { Manifest } from "../manifest.ts";
import type { WatchMetrics } from "../metrics.ts";

/** What the watchdog has to do its work with. */
export interface Watchdog {
  readonly manifest: Manifest;
  readonly register: FleetRegister;
  readonly notes: WatchStore;
  readonly runs: RunStore;
  readonly audit: Pick<RunQueries, "listAudit">;
  readonly metrics: WatchMetrics;
  readonly log: RunLog;
  nowMs(): number;
  /** A schedule of the fleet's group, as EventBridge Scheduler has it; undefined where it is not there. */
  deployedSchedule(name: string): Promise<DeployedSchedule | undefined>;
  /** Puts an event into a function's queue. */
  invoke(functionName: string, event: object): Promise<void>;
}

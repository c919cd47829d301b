import type { CatchUp } from "../run/index.ts";
import type { FleetJob } from "../store/index.ts";

/** The jobs of a fleet, as the stack's own functions, the dispatcher and the watchdog, know them. */
export interface Manifest {
  readonly fleet: string;
  /** The group of the fleet's schedules in EventBridge Scheduler. */
  readonly scheduleGroup: string;
  readonly jobs: Readonly<Record<string, ManifestJob>>;
}

export interface ManifestJob extends FleetJob {
  readonly catchUp: CatchUp;
  readonly queueLength: number;
  /** What EventBridge Scheduler calls each schedule. */
  readonly scheduleNames: Readonly<Record<string, string>>;
}

declare global {
  /** The bundler puts the stack's manifest in the place of this name. */
  const ESCAPEMENT_MANIFEST: Manifest;
}

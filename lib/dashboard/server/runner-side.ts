import type { DashboardEvent, Worker } from "../api.ts";

/** What only the runner in this process knows. */
export interface RunnerSide {
  /** Absent where it is as fast as the machine's. */
  readonly clock?: { readonly speed: number; pace(): number } | undefined;
  readonly faults: readonly string[];
  nowMs(): number;
  workers(): readonly Worker[];
  /** How many events wait in its queue. */
  waiting(): number;
  /** Tells what happens, until the function returned is called. */
  subscribe(listen: (news: RunnerNews) => void): () => void;
}

/** What is passed on as it is; or that something has changed, so that it is worth reading. */
export type RunnerNews =
  | Extract<DashboardEvent, { kind: "log" | "notice" | "clock" }>
  | { readonly kind: "job-changed"; readonly job: string }
  | { readonly kind: "dead-letters-changed" }
  | { readonly kind: "workers-changed" };

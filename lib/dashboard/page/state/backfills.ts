import { signal } from "@preact/signals";
import type { DashboardEvent } from "../../api.ts";
import { plural } from "../format/words.ts";
import { jobHref } from "../route.ts";
import { tell } from "./tidings.ts";

export type BackfillState = Extract<DashboardEvent, { kind: "backfill" }>;

/** The backfills at work that were asked for here, by their job. */
export const backfills = signal<ReadonlyMap<string, BackfillState>>(new Map());

export function takeBackfill(event: BackfillState): void {
  const next = new Map(backfills.value);
  if (event.outcome === undefined) next.set(event.job, event);
  else next.delete(event.job);
  backfills.value = next;
  if (event.outcome !== undefined) tellEnd(event);
}

function tellEnd({ job, succeeded, failed, outcome, message }: BackfillState): void {
  const href = jobHref(job);
  const count = `${plural(succeeded, "run")} succeeded, ${failed} failed`;
  if (outcome === "done") tell(failed === 0 ? "done" : "warning", `Backfill of ${job}: ${count}.`, href);
  else if (outcome === "stopped") tell("fault", `Backfill of ${job} stopped, since too many failed: ${count}.`, href);
  else tell("fault", `Backfill of ${job} could not go on: ${message ?? count}`, href);
}

import { signal } from "@preact/signals";
import type { BackfillView } from "../../api.ts";
import { get } from "../api/client.ts";
import { plural } from "../format/words.ts";
import { jobHref } from "../route.ts";
import { epoch, listen } from "./live.ts";
import { tell } from "./tidings.ts";

/** The backfills at work that were asked for here, by their job. */
export const backfills = signal<ReadonlyMap<string, BackfillView>>(new Map());

/** Reads them now, and again whenever events may have been missed. */
export function followBackfills(): void {
  listen((event) => {
    if (event.kind === "backfill") take(event);
  });
  epoch.subscribe((count) => {
    if (count > 0) void readBackfills();
  });
}

async function readBackfills(): Promise<void> {
  const all = await get<BackfillView[]>("backfills").catch(() => []);
  const atWork = all.filter(({ outcome }) => outcome === undefined);
  backfills.value = new Map(atWork.map((backfill) => [backfill.job, backfill]));
}

function take(backfill: BackfillView): void {
  const next = new Map(backfills.value);
  if (backfill.outcome === undefined) next.set(backfill.job, backfill);
  else {
    next.delete(backfill.job);
    tellEnd(backfill);
  }
  backfills.value = next;
}

function tellEnd({ job, succeeded, failed, outcome, message }: BackfillView): void {
  const href = jobHref(job);
  const count = `${plural(succeeded, "run")} succeeded, ${failed} failed`;
  if (outcome === "stopped") tell("fault", `Backfill of ${job} stopped, since too many failed: ${count}.`, href);
  else if (outcome === "broken-off") tell("fault", `Backfill of ${job} could not go on: ${message ?? count}`, href);
  else if (outcome === "cancelled") tell("done", `Backfill of ${job} was told to stop: ${count}.`, href);
  else tell(failed === 0 ? "done" : "warning", `Backfill of ${job}: ${count}.`, href);
}

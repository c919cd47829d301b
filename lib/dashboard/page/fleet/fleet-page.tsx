import { fleet, target } from "../state/live.ts";
import { Empty, Failure, Skeleton } from "../ui/states.tsx";
import { FleetTable } from "./fleet-table.tsx";
import { FleetTools } from "./fleet-tools.tsx";
import { Pager } from "./pager.tsx";
import { allJobs, found, lookAt, lookFor } from "./view.ts";

/** Every job: what runs, when next, what happened last. */
export function FleetPage() {
  return (
    <>
      <h1 class="unseen" tabIndex={-1}>
        Fleet
      </h1>
      <FleetContent />
    </>
  );
}

function FleetContent() {
  const { value } = fleet;
  if (value.kind === "loading") return <Skeleton rows={12} />;
  if (value.kind === "failed") return <Failure error={value.error} />;
  if (allJobs.value.length === 0) {
    return (
      <Empty title="No jobs yet">
        A job is one file in <code>functions/</code>; <code>npx escapement new nightly-report</code> writes one. It
        appears here as soon as {target.value?.target.kind === "stack" ? "the stack is deployed" : "the runner has it"}.
      </Empty>
    );
  }
  return (
    <>
      <FleetTools />
      {found.value.length === 0 ? <NothingFound /> : <FleetTable />}
      <Pager />
    </>
  );
}

function NothingFound() {
  function showAll() {
    lookFor("");
    lookAt("all");
  }
  return (
    <div class="state">
      <h2>No job is like that</h2>
      <p>Names, descriptions, schedules, zones and reasons of pauses are searched.</p>
      <button type="button" class="button" onClick={showAll}>
        Show all jobs
      </button>
    </div>
  );
}

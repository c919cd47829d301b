import { FleetRow } from "./fleet-row.tsx";
import { type Column, nextSorting } from "./sort.ts";
import { shownJobs, sorting } from "./view.ts";

/** A table; at phone width each of its rows is a card. */
export function FleetTable() {
  return (
    <table class="table fleet">
      <thead>
        <tr>
          <Head by="job">Job</Head>
          <Head by="state">State</Head>
          <th scope="col">Schedule</th>
          <Head by="next">Next</Head>
          <Head by="last">Last run</Head>
          <Head by="success">Recent</Head>
          <th scope="col">
            <span class="unseen">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {shownJobs.value.map((job) => (
          <FleetRow key={job.job} job={job} />
        ))}
      </tbody>
    </table>
  );
}

function Head({ by, children }: { by: Column; children: string }) {
  const { by: current, descending } = sorting.value;
  const sorted = current === by;
  const order = descending ? "descending" : "ascending";
  return (
    <th scope="col" aria-sort={sorted ? order : "none"}>
      <button type="button" class="sort" onClick={() => (sorting.value = nextSorting(sorting.value, by))}>
        {children}
        <span class="sort-sign" aria-hidden="true">
          {sorted ? (descending ? "↓" : "↑") : ""}
        </span>
      </button>
    </th>
  );
}

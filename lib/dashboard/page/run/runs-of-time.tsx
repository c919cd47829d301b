import type { TimelineAnswer } from "../../api.ts";
import { get, jobPath } from "../api/client.ts";
import { runHref } from "../route.ts";
import { useLoaded } from "../state/loadable.ts";
import { At } from "../ui/when.tsx";

/** A scheduled time as links to the occurrences of that time; a job with several schedules may have several. */
export function RunsOfTime({ job, at, timeZone }: { job: string; at: string; timeZone: string }) {
  const query = { from: at, to: new Date(Date.parse(at) + 1_000).toISOString() };
  const { state } = useLoaded(`${job} ${at}`, () => get<TimelineAnswer>(jobPath(job, "timeline"), query));
  const found = state.value.kind === "loaded" ? (state.value.value.jobs[0]?.occurrences ?? []) : [];
  if (found.length === 0) return <At at={at} timeZone={timeZone} />;
  return (
    <>
      {found.map(({ runId, schedule }) => (
        <div key={runId}>
          <a href={runHref(job, runId)}>
            <At at={at} timeZone={timeZone} />
            {found.length > 1 && ` (${schedule})`}
          </a>
        </div>
      ))}
    </>
  );
}

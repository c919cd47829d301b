import type { JobDetail, JobUpcoming } from "../../../operations/index.ts";
import { get, jobPath } from "../api/client.ts";
import { isDisabled } from "../fleet/shown-state.ts";
import { durationText } from "../format/duration.ts";
import { useLoaded } from "../state/loadable.ts";
import { Section } from "../ui/facts.tsx";
import { At, Relative } from "../ui/when.tsx";

/** The job's schedules in words and raw, and what comes next of all of them. */
export function ScheduleList({ job }: { job: JobDetail }) {
  return (
    <Section title={job.schedules.length === 1 ? "Schedule" : "Schedules"}>
      {job.schedules.length === 0 && <p class="quiet">None: it runs on request.</p>}
      {job.schedules.map(({ name, description, expression, timeZone, disabled }) => (
        <div class="schedule" key={name}>
          <div>
            {job.schedules.length > 1 && <b>{name}: </b>}
            {description}
            {(disabled || job.disabled) && <span class="quiet"> · disabled</span>}
          </div>
          <div class="schedule-raw">
            <code>{expression}</code> <span class="quiet">{timeZone}</span>
          </div>
          {job.maxLatenessMs[name] !== undefined && (
            <div class="quiet">at most {durationText(job.maxLatenessMs[name])} late</div>
          )}
        </div>
      ))}
      {job.schedules.some(({ next }) => next) && <Coming job={job} />}
      {isDisabled(job) && <p class="quiet">No next occurrence: it runs on request alone.</p>}
    </Section>
  );
}

function Coming({ job }: { job: JobDetail }) {
  const first = job.schedules.map(({ next }) => next?.at).join(" ");
  const { state } = useLoaded(job.job, () => get<JobUpcoming>(jobPath(job.job, "next"), { count: 5 }), first);
  if (state.value.kind !== "loaded") return null;
  const zones = new Map(job.schedules.map(({ name, timeZone }) => [name, timeZone]));
  return (
    <ol class="coming" aria-label="The next occurrences">
      {state.value.value.occurrences.map(({ at, schedule, note }) => (
        <li key={`${at} ${schedule}`}>
          <At at={at} timeZone={zones.get(schedule) ?? "UTC"} />
          <span class="quiet">
            {zones.size > 1 && (
              <>
                <b>{schedule}</b> ·{" "}
              </>
            )}
            <Relative at={at} />
          </span>
          {note && <div class="note">{note}</div>}
        </li>
      ))}
    </ol>
  );
}

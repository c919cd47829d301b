import type { FleetJob } from "../../api.ts";
import { zoneWord } from "../format/instant.ts";
import { plural } from "../format/words.ts";
import { StatusMark } from "../ui/status-mark.tsx";
import { nextOf } from "./sort.ts";

/** A job's schedule in words and as it is written; of several the one that is next, and how many more. */
export function ScheduleCell({ job }: { job: FleetJob }) {
  const { schedules } = job;
  const first = nextOf(job)?.schedule ?? schedules.find(({ disabled }) => !disabled) ?? schedules[0];
  if (!first) return <span class="quiet">none: it runs on request</span>;
  const warnings = schedules.flatMap((schedule) => schedule.warnings);
  return (
    <>
      <div>
        {first.description}
        {first.disabled && <span class="quiet"> · disabled</span>}
      </div>
      <div class="schedule-raw">
        <code>{first.expression}</code>
        <span class="quiet zone" title={first.timeZone}>
          {zoneWord(first.timeZone)}
        </span>
        {schedules.length > 1 && <span class="quiet">and {plural(schedules.length - 1, "more", "more")}</span>}
        {warnings.length > 0 && (
          <span class="status is-warning" data-tip={warnings.map(({ message }) => message).join("\n")}>
            <StatusMark mark="warning" label={plural(warnings.length, "warning")} />
            {warnings.length}
          </span>
        )}
      </div>
    </>
  );
}

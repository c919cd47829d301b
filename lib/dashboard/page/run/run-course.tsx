import type { RunView } from "../../../operations/index.ts";
import { localText, timeOfDay, zoneWord } from "../format/instant.ts";
import { Relative } from "../ui/when.tsx";
import { courseOf } from "./course.ts";

/** The stations of a run beside each other: scheduled, started, ended. */
export function RunCourse({ run }: { run: RunView }) {
  return (
    <ol class="course" aria-label="The run's course">
      {courseOf(run).map(({ name, at, since }) => (
        <li key={name}>
          <div class="course-name">
            {name}
            {since && <span class="course-since">{since}</span>}
          </div>
          <div class="course-time">
            {localText(at, run.timeZone)} <span class="quiet">{zoneWord(run.timeZone)}</span>
          </div>
          <div class="quiet">
            {timeOfDay(at)} UTC · <Relative at={at} />
          </div>
        </li>
      ))}
      {run.status === "RUNNING" && !run.interrupted && (
        <li class="is-open">
          <div class="course-name">At work</div>
          <div class="quiet">{run.startedAt && <Relative at={run.startedAt} />}</div>
        </li>
      )}
    </ol>
  );
}

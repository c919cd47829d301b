import type { BackfillPlan } from "../../../operations/index.ts";
import { durationText } from "../format/duration.ts";
import { utcText } from "../format/instant.ts";
import { plural, STATUS_WORDS } from "../format/words.ts";
import { StatusMark } from "../ui/status-mark.tsx";

const SHOWN = 100;

/** What a backfill would run, how long it takes and what it costs. */
export function BackfillPlanView({ plan }: { plan: BackfillPlan }) {
  const { runs, occurrences, changed, from, to, estimatedMs, estimatedDollars } = plan;
  const range = `${utcText(from)} to ${utcText(to)}`;
  const unknown = changed.map(({ schedule, since }) => (
    <p key={schedule} class="form-text is-warning">
      {schedule} is as it is since {utcText(since)}: of what fell due before, only what has a record is known.
    </p>
  ));
  if (runs.length === 0) {
    return (
      <>
        {unknown}
        <p class="form-text">
          Nothing to run: of {plural(occurrences, "occurrence")} from {range} none is like that.
        </p>
      </>
    );
  }
  return (
    <>
      {unknown}
      <p class="form-text">
        <b>{runs.length.toLocaleString("en-US")}</b> of {plural(occurrences, "occurrence")} from {range}: about{" "}
        {durationText(estimatedMs)}
        {estimatedDollars > 0 && `, ${dollars(estimatedDollars)}`}.
      </p>
      <ul class="plan" aria-label="What would run">
        {runs.slice(0, SHOWN).map(({ runId, was, scheduledTime, manual }) => (
          <li key={runId}>
            <StatusMark mark={was === "missing" ? "missed" : was} />
            <span>{utcText(scheduledTime)}</span>
            <span class="quiet">
              {was === "missing" ? "no record" : STATUS_WORDS[was]}
              {manual && ", a manual run in its place"}
            </span>
          </li>
        ))}
        {runs.length > SHOWN && <li class="quiet">and {plural(runs.length - SHOWN, "more", "more")}</li>}
      </ul>
    </>
  );
}

function dollars(amount: number): string {
  return amount < 0.01 ? "less than $0.01" : `$${amount.toFixed(2)}`;
}

import { plural } from "../format/words.ts";
import { backfills } from "../state/backfills.ts";

/** How far a backfill is that was asked for here. */
export function BackfillProgressBar({ job }: { job: string }) {
  const backfill = backfills.value.get(job);
  if (!backfill) return null;
  const { total, succeeded, failed } = backfill;
  return (
    <div class="notice is-backfill">
      <span>
        <b>Backfill:</b> {succeeded + failed} of {plural(total, "run")}
        {failed > 0 && <span class="bad">, {failed} failed</span>}
      </span>
      <progress max={total} value={succeeded + failed} aria-label={`Backfill of ${job}`} />
    </div>
  );
}

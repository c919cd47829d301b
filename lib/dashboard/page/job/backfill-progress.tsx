import { type ApiError, post } from "../api/client.ts";
import { plural } from "../format/words.ts";
import { backfills } from "../state/backfills.ts";
import { tell } from "../state/tidings.ts";
import { Acts } from "../ui/acts.tsx";

/** How far a backfill is that was asked for here, and a way to end it: the runs at work end, and no more are started. */
export function BackfillProgressBar({ job }: { job: string }) {
  const backfill = backfills.value.get(job);
  if (!backfill) return null;
  const { id, by, total, succeeded, failed } = backfill;
  function stop() {
    post(`backfills/${encodeURIComponent(id)}/stop`, {}).catch((error: ApiError) => tell("fault", error.message));
  }
  return (
    <div class="notice is-backfill">
      <span>
        <b>Backfill</b> by {by}: {succeeded + failed} of {plural(total, "run")}
        {failed > 0 && <span class="bad">, {failed} failed</span>}
      </span>
      <progress max={total} value={succeeded + failed} aria-label={`Backfill of ${job}`} />
      <Acts>
        <button type="button" class="button is-small" onClick={stop}>
          Stop
        </button>
      </Acts>
    </div>
  );
}

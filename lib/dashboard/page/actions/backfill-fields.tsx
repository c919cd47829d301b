import type { BackfillQuery } from "../../../operations/index.ts";
import { fieldText } from "./backfill-range.ts";
import { textOf } from "./fields.tsx";

export type Selected = Pick<BackfillQuery, "from" | "to" | "only" | "evenIfPaused">;

/** Which occurrences: a range in UTC, and which of them. */
export function BackfillFields({ from, to }: { from: string; to: string }) {
  return (
    <>
      <div class="field-row">
        <label class="field">
          <span>
            From <span class="quiet">(UTC, inclusive)</span>
          </span>
          <input class="input" type="datetime-local" name="from" step="1" required value={fieldText(from)} />
        </label>
        <label class="field">
          <span>
            To <span class="quiet">(UTC, exclusive)</span>
          </span>
          <input class="input" type="datetime-local" name="to" step="1" required value={fieldText(to)} />
        </label>
      </div>
      <label class="field">
        <span>Which</span>
        <select class="input" name="only">
          <option value="">without a record, and failed</option>
          <option value="missing">without a record</option>
          <option value="failed">failed, timed out or lost</option>
          <option value="skipped">skipped</option>
          <option value="all">all, also those that succeeded</option>
        </select>
      </label>
      <label class="check">
        <input type="checkbox" name="evenIfPaused" value="yes" /> Even if the job is paused
      </label>
    </>
  );
}

export function rangeOf(form: FormData): Selected {
  return {
    from: instantOf(form, "from"),
    to: instantOf(form, "to"),
    only: textOf(form, "only"),
    ...(form.has("evenIfPaused") && { evenIfPaused: true }),
  };
}

/** A field's text is UTC; it has seconds only where they are not 00. */
function instantOf(form: FormData, name: string): string {
  return new Date(`${textOf(form, name)}Z`).toISOString();
}

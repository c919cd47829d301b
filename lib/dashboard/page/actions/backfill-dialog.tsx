import { useSignal } from "@preact/signals";
import type { BackfillPlan } from "../../../operations/index.ts";
import type { BackfillView } from "../../api.ts";
import { jobPath, post } from "../api/client.ts";
import { plural } from "../format/words.ts";
import { now } from "../state/clock.ts";
import { jobNamed } from "../state/live.ts";
import { ActionForm, type Outcome } from "./action-form.tsx";
import { BackfillFields, rangeOf, type Selected } from "./backfill-fields.tsx";
import { BackfillPlanView } from "./backfill-plan.tsx";
import { usualRange } from "./backfill-range.ts";
import { ReasonField, reasonOf } from "./fields.tsx";

interface BackfillDialogProps {
  readonly job: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

interface Planned {
  readonly plan: BackfillPlan;
  readonly selected: Selected;
}

/** Runs past occurrences: first it shows which, then it does it. */
export function BackfillDialog({ job, from, to }: BackfillDialogProps) {
  const planned = useSignal<Planned | undefined>(undefined);

  async function plan(form: FormData): Promise<Outcome> {
    const selected = rangeOf(form);
    const answer = await post<BackfillPlan>(jobPath(job, "backfill", "plan"), selected);
    planned.value = { plan: answer, selected };
    return { kind: "open" };
  }

  async function start(form: FormData, { plan: { id, runs }, selected }: Planned): Promise<Outcome> {
    const body = { ...selected, id, runs: runs.map(({ runId }) => runId), reason: reasonOf(form) };
    const { total } = await post<BackfillView>(jobPath(job, "backfill"), body);
    return { kind: "done", text: `${job}: ${plural(total, "run")} on the way, one after the other.` };
  }

  const usual = usualRange(now.peek(), jobNamed(job)?.firstSeen);
  const current = planned.value;
  if (current) {
    return (
      <ActionForm
        key="start"
        title={`Backfill ${job}`}
        verb={`Run ${plural(current.plan.runs.length, "occurrence")}`}
        possible={current.plan.runs.length > 0}
        act={(form) => start(form, current)}
      >
        <BackfillPlanView plan={current.plan} />
        <button type="button" class="button is-small" onClick={() => (planned.value = undefined)}>
          ‹ Another range
        </button>
        <ReasonField />
      </ActionForm>
    );
  }
  return (
    <ActionForm key="plan" title={`Backfill ${job}`} verb="Show what would run" act={plan}>
      <p class="form-text">
        Runs past occurrences, the oldest first, and never in the way of the schedule. First you see which.
      </p>
      <BackfillFields from={from ?? usual.from} to={to ?? usual.to} />
    </ActionForm>
  );
}

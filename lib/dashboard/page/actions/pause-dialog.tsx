import type { Paused } from "../../../operations/index.ts";
import { jobPath, post } from "../api/client.ts";
import { ActionForm, type Outcome } from "./action-form.tsx";
import { ReasonField, reasonOf, textOf } from "./fields.tsx";

/** Skips a job's occurrences from now on. */
export function PauseDialog({ job }: { job: string }) {
  async function act(form: FormData): Promise<Outcome> {
    const until = textOf(form, "until");
    const body = { reason: reasonOf(form), until: until && new Date(until).toISOString() };
    return outcomeOf(await post<Paused>(jobPath(job, "pause"), body));
  }

  return (
    <ActionForm title={`Pause ${job}`} verb="Pause" act={act}>
      <p class="form-text">
        Its occurrences are recorded as skipped from now on. A run at work goes on, and “run now” still starts one. A
        pause survives deployments.
      </p>
      <ReasonField required />
      <label class="field">
        <span>
          Until <span class="quiet">(your clock; empty: until somebody resumes it)</span>
        </span>
        <input class="input" type="datetime-local" name="until" />
      </label>
    </ActionForm>
  );
}

function outcomeOf({ job, outcome, paused }: Paused): Outcome {
  if (outcome === "paused") return { kind: "done", text: `${job} is paused.` };
  const who = paused ? ` ${paused.by} has paused it: ${paused.reason}` : "";
  if (outcome === "already-paused") return { kind: "refused", text: `${job} is paused already.${who}` };
  return { kind: "refused", text: `Somebody was faster; nothing was done.${who}` };
}

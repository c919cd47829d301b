import { useSignal } from "@preact/signals";
import type { Triggered } from "../../../operations/index.ts";
import { jobPath, post } from "../api/client.ts";
import { runHref } from "../route.ts";
import { ActionForm, type Outcome } from "./action-form.tsx";
import { ReasonField, reasonOf, textOf } from "./fields.tsx";
import { checkJsonInput } from "./json-input.ts";

/** One run now, outside the schedule. */
export function TriggerDialog({ job }: { job: string }) {
  const problem = useSignal<string | undefined>(undefined);

  function check(text: string): void {
    const input = checkJsonInput(text);
    problem.value = "error" in input ? input.error : undefined;
  }

  async function act(form: FormData): Promise<Outcome> {
    const input = checkJsonInput(textOf(form, "input") ?? "");
    // The field says so already.
    if ("error" in input) return { kind: "open" };
    const triggered = await post<Triggered>(jobPath(job, "trigger"), { reason: reasonOf(form) }, { input: input.json });
    return { kind: "done", text: doneText(triggered), href: runHref(job, triggered.runId) };
  }

  return (
    <ActionForm title={`Run ${job} now`} verb="Run now" act={act}>
      <p class="form-text">One run outside the schedule, with an id of its own: it never stands for an occurrence.</p>
      <ReasonField />
      <label class="field">
        <span>
          Input <span class="quiet">(JSON, may be empty; the handler finds it at run.input)</span>
        </span>
        <textarea
          class="input is-code"
          name="input"
          rows={4}
          spellcheck={false}
          placeholder='{ "day": "2026-03-27" }'
          aria-invalid={problem.value !== undefined}
          onInput={({ currentTarget }) => check(currentTarget.value)}
        />
      </label>
      <p class="field-error" aria-live="polite">
        {problem}
      </p>
    </ActionForm>
  );
}

function doneText({ job, heldBy, overlap = "skip", queue }: Triggered): string {
  if (heldBy === undefined) return `${job}: the run is on its way.`;
  const isFull = queue?.length !== undefined && queue.waiting >= queue.length;
  const fate = {
    skip: "it is skipped unless that one ends first",
    queue: isFull ? "as many wait as may, so it is skipped unless that one ends first" : "it waits for its turn",
    replace: "it asks that one to stop",
    allow: "it runs beside it",
  }[overlap];
  return `${job}: the run is on its way. Another one holds the lock just now: ${fate}.`;
}

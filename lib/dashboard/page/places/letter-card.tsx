import type { DeadLetterView } from "../../../operations/index.ts";
import { openAction } from "../actions/open-action.ts";
import { jobHref, runHref } from "../route.ts";
import { Acts } from "../ui/acts.tsx";
import { When } from "../ui/when.tsx";

const FROM_WORDS = {
  function: "the function's queue",
  schedule: "the schedule",
  rule: "the rule of run requests",
} as const;

/** One event that failed for good. */
export function LetterCard({ letter }: { letter: DeadLetterView }) {
  const { id, at, from, job, runId, functionName, condition, error, payload } = letter;
  const name = job ?? functionName ?? "an event";
  const what = `The event of ${name}${runId ? `, for run ${runId}` : ""}.`;
  return (
    <li class="card">
      <div class="card-head">
        <b>{job ? <a href={jobHref(job)}>{job}</a> : name}</b>
        {at && (
          <span class="quiet">
            <When at={at} />
          </span>
        )}
        <Acts>
          <div class="actions">
            <button type="button" class="button is-small" onClick={() => openAction({ kind: "resend", id, what })}>
              Send again…
            </button>
            <button type="button" class="button is-small" onClick={() => openAction({ kind: "discard", id, what })}>
              Discard…
            </button>
          </div>
        </Acts>
      </div>
      <p class="quiet">
        Given up by {FROM_WORDS[from]}
        {condition && `: ${condition}`}
        {job && runId && (
          <>
            {" "}
            · run{" "}
            <a href={runHref(job, runId)} class="breakable">
              {runId}
            </a>
          </>
        )}
      </p>
      {error && (
        <pre class="error-text">
          <b>{error.name}</b>: {error.message}
        </pre>
      )}
      <details>
        <summary>Payload</summary>
        <pre class="code">{JSON.stringify(payload, undefined, 2)}</pre>
      </details>
    </li>
  );
}

import type { Cancelled } from "../../../operations/index.ts";
import { jobPath, post } from "../api/client.ts";
import { durationText } from "../format/duration.ts";
import { utcText } from "../format/instant.ts";
import { runHref } from "../route.ts";
import { jobNamed } from "../state/live.ts";
import { Fact, Facts } from "../ui/facts.tsx";
import { ActionForm, type Outcome } from "./action-form.tsx";
import { ReasonField, reasonOf } from "./fields.tsx";
import { HolderFacts } from "./holder-facts.tsx";

/** Asks the run at work to stop, or takes one that waits out of the queue. */
export function CancelDialog({ job, runId }: { job: string; runId: string | undefined }) {
  async function act(form: FormData): Promise<Outcome> {
    return outcomeOf(await post<Cancelled>(jobPath(job, "cancel"), { reason: reasonOf(form), runId }));
  }
  const waits = jobNamed(job)?.waiting.some((waiting) => waiting.runId === runId) ?? false;
  return (
    <ActionForm
      title={`Cancel the run of ${job}`}
      verb={waits ? "Take it out of the queue" : "Ask it to stop"}
      danger
      act={act}
    >
      <p class="form-text">
        {waits
          ? "It waits for its turn: it is taken out of the queue, does not start, and is recorded as skipped."
          : "A run whose job has a heartbeat hears of it, its signal aborts, and it ends as cancelled. Without a heartbeat nothing reaches it."}
      </p>
      {runId === undefined ? (
        <HolderFacts job={job} />
      ) : (
        <Facts>
          <Fact name="Run">{runId}</Fact>
        </Facts>
      )}
      <ReasonField required />
    </ActionForm>
  );
}

function outcomeOf(answer: Cancelled): Outcome {
  const { job, outcome, runId, heartbeatMs, askedBy, askedReason, withdrawal, endsAt } = answer;
  const href = runId && runHref(job, runId);
  switch (outcome) {
    case "asked":
      return { kind: "done", text: `${job}: the run hears of it within ${durationText(heartbeatMs ?? 0)}.`, href };
    case "asked-before":
      return { kind: "done", text: `${askedBy} has asked it to stop before: ${askedReason}`, href };
    case "withdrawn":
      return { kind: "done", text: `${job}: the run is out of the queue, and recorded as skipped.`, href };
    case "withdrawn-before":
      return { kind: "done", text: `${job}: the run is out of the queue: ${withdrawal}`, href };
    case "has-started":
      return { kind: "refused", text: "It has started before, and waits for its next attempt, which comes." };
    case "not-running":
      return { kind: "refused", text: "No run is at work: there is nothing to cancel." };
    case "cannot-hear": {
      const end = endsAt ? ` It ends by itself, at the latest at ${utcText(endsAt)}.` : "";
      return { kind: "refused", text: `Its job has no heartbeat, so that nothing reaches the run.${end}` };
    }
  }
}

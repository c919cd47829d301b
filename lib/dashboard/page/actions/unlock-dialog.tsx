import type { Unlocked } from "../../../operations/index.ts";
import { jobPath, post } from "../api/client.ts";
import { ActionForm, type Outcome } from "./action-form.tsx";
import { ReasonField, reasonOf } from "./fields.tsx";
import { HolderFacts, lockOf } from "./holder-facts.tsx";

/** Takes the lock from its holder, which is shown first. */
export function UnlockDialog({ job }: { job: string }) {
  const lock = lockOf(job);
  async function act(form: FormData): Promise<Outcome> {
    if (!lock) return { kind: "refused", text: "The lock is free: there is nothing to do." };
    const body = { reason: reasonOf(form), owner: lock.owner };
    return outcomeOf(await post<Unlocked>(jobPath(job, "unlock"), body));
  }
  return (
    <ActionForm title={`Unlock ${job}`} verb="Take the lock away" danger possible={lock !== undefined} act={act}>
      <HolderFacts job={job} />
      {lock && (
        <p class="form-text is-warning">
          That attempt is recorded as lost, and what it still writes under its lock is refused.{" "}
          <b>Its code may still be at work</b>, and what it does elsewhere is not stopped. Do this only where you know
          that it is gone. Where attempts are left, the run's next one starts by itself, as a rule within ten minutes.
        </p>
      )}
      <ReasonField required />
    </ActionForm>
  );
}

function outcomeOf({ job, outcome, lock }: Unlocked): Outcome {
  if (outcome === "unlocked") return { kind: "done", text: `${job} is unlocked.` };
  if (outcome === "not-locked") return { kind: "done", text: `The lock of ${job} was free already.` };
  const who = lock ? ` Run ${lock.runId} holds it now.` : "";
  return { kind: "refused", text: `The lock has passed to another one; nothing was done.${who}` };
}

import type { Discarded } from "../../../operations/index.ts";
import { post } from "../api/client.ts";
import { forgetLetters } from "../state/letters.ts";
import { ActionForm, type Outcome } from "./action-form.tsx";
import { ReasonField, reasonOf } from "./fields.tsx";

/** Removes a dead letter unsent. */
export function DiscardDialog({ id, what }: { id: string; what: string }) {
  async function act(form: FormData): Promise<Outcome> {
    await post<Discarded>("dead-letters/discard", { id, reason: reasonOf(form) });
    forgetLetters([id]);
    return { kind: "done", text: `The letter ${id} is removed, not sent.` };
  }
  return (
    <ActionForm title="Discard it" verb="Discard for good" danger act={act}>
      <p class="form-text">{what}</p>
      <p class="form-text is-warning">
        It is removed unsent, and <b>cannot be brought back</b>. Where its job is known, the job's page keeps who
        discarded it, when and why.
      </p>
      <ReasonField required />
    </ActionForm>
  );
}

import type { Resent } from "../../../operations/index.ts";
import { post } from "../api/client.ts";
import { plural } from "../format/words.ts";
import { runHref } from "../route.ts";
import { forgetLetters } from "../state/letters.ts";
import { ActionForm, type Outcome } from "./action-form.tsx";
import { ReasonField, reasonOf } from "./fields.tsx";

/** Starts again what failed for good: one letter, or all without an id. */
export function ResendDialog({ id, what }: { id: string | undefined; what: string }) {
  async function act(form: FormData): Promise<Outcome> {
    const resent = await post<Resent[]>("dead-letters/resend", { id, reason: reasonOf(form) });
    forgetLetters(resent.filter(({ outcome }) => outcome !== "failed").map((letter) => letter.id));
    return outcomeOf(resent);
  }
  return (
    <ActionForm title={id === undefined ? "Send all again" : "Send it again"} verb="Send again" act={act}>
      <p class="form-text">{what}</p>
      <p class="form-text">
        A run without a record, or with attempts left, runs under its own identity; else a manual run works in its
        place. One that has ended well since is only cleared away.
      </p>
      <ReasonField />
    </ActionForm>
  );
}

function outcomeOf(resent: readonly Resent[]): Outcome {
  const failed = resent.filter(({ outcome }) => outcome === "failed");
  const sent = resent.filter(({ outcome }) => outcome === "sent");
  const [first] = sent;
  const cleared = resent.length - sent.length - failed.length;
  const rest = cleared === 0 ? "" : ` ${plural(cleared, "letter")} had ended well since and is cleared away.`;
  const href = first?.job !== undefined && first.runId !== undefined ? runHref(first.job, first.runId) : undefined;
  const text = `${plural(sent.length, "event")} sent again.${rest}`;
  if (failed.length === 0) return { kind: "done", text, href };
  const why = failed.map(({ id, message }) => `${id}: ${message}`).join("; ");
  return { kind: "refused", text: `${text} ${plural(failed.length, "letter")} stayed. ${why}` };
}

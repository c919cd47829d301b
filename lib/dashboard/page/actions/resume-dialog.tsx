import type { HeldUp, PauseLook, Resumed } from "../../../operations/index.ts";
import { get, jobPath, post } from "../api/client.ts";
import { utcText } from "../format/instant.ts";
import { plural } from "../format/words.ts";
import { useLoaded } from "../state/loadable.ts";
import { Fact, Facts } from "../ui/facts.tsx";
import { Await } from "../ui/states.tsx";
import { When } from "../ui/when.tsx";
import { ActionForm, type Outcome } from "./action-form.tsx";
import { ReasonField, reasonOf } from "./fields.tsx";

/** Ends a job's pause, after saying what it held up. */
export function ResumeDialog({ job }: { job: string }) {
  const { state, reload } = useLoaded(job, () => get<PauseLook>(jobPath(job, "pause")));
  const look = state.value.kind === "loaded" ? state.value.value : undefined;

  async function act(form: FormData): Promise<Outcome> {
    const body = { reason: reasonOf(form), pausedAt: look?.paused?.at };
    const outcome = outcomeOf(await post<Resumed>(jobPath(job, "resume"), body));
    // Somebody else's pause stands now: the dialog shows that one.
    if (outcome.kind === "refused") void reload();
    return outcome;
  }

  return (
    <ActionForm title={`Resume ${job}`} verb="Resume" possible={look?.paused !== undefined} act={act}>
      <Await state={state.value} rows={3}>
        {(value) => <PauseFacts look={value} />}
      </Await>
      <ReasonField />
    </ActionForm>
  );
}

function PauseFacts({ look: { job, paused, skipped, unrecorded, next } }: { look: PauseLook }) {
  if (!paused) return <p class="form-text">{job} is not paused any more: there is nothing to resume.</p>;
  return (
    <>
      <Facts>
        <Fact name="Paused by">
          {paused.by}, <When at={paused.at} />
        </Fact>
        <Fact name="Because">{paused.reason}</Fact>
        <Fact name="Skipped since">{heldUpText(skipped)}</Fact>
        {unrecorded.count > 0 && <Fact name="Without a record">{heldUpText(unrecorded)}</Fact>}
        <Fact name="Runs next">{next ? <When at={next} /> : "nothing is due any more"}</Fact>
      </Facts>
      {skipped.count + unrecorded.count > 0 && (
        <p class="form-text">What was skipped stays so: nothing comes in a burst. A backfill can run it afterwards.</p>
      )}
    </>
  );
}

function heldUpText({ count, first, last }: HeldUp): string {
  if (count === 0 || !first || !last) return "no occurrence";
  if (count === 1) return `1 occurrence, ${utcText(first)}`;
  return `${plural(count, "occurrence")}, ${utcText(first)} to ${utcText(last)}`;
}

function outcomeOf({ job, outcome, paused }: Resumed): Outcome {
  if (outcome === "resumed") return { kind: "done", text: `${job} runs again, from its next occurrence on.` };
  if (outcome === "not-paused") return { kind: "done", text: `${job} was not paused any more.` };
  const who = paused ? ` ${paused.by} has paused it meanwhile: ${paused.reason}` : "";
  return { kind: "refused", text: `Nothing was done.${who}` };
}

import type { DeadLetterView } from "../../../operations/index.ts";
import { openAction } from "../actions/open-action.ts";
import { plural } from "../format/words.ts";
import { letters, reloadLetters } from "../state/letters.ts";
import { Acts } from "../ui/acts.tsx";
import { Await, Empty } from "../ui/states.tsx";
import { LetterCard } from "./letter-card.tsx";

/** The events that failed for good, and a way to start them again. */
export function LettersPage() {
  return (
    <>
      <header class="page-head">
        <div class="page-title">
          <h1 tabIndex={-1}>Dead letters</h1>
          <p class="lead">Events that failed for good: what they were to start, and why they did not.</p>
        </div>
      </header>
      <Await state={letters.value} retry={reloadLetters}>
        {(all) => <Letters all={all} />}
      </Await>
    </>
  );
}

function Letters({ all }: { all: readonly DeadLetterView[] }) {
  if (all.length === 0)
    return <Empty title="No dead letters">Every event has found its run, or is still being tried.</Empty>;
  const what = `All ${plural(all.length, "event")} that failed for good, the oldest first.`;
  return (
    <>
      <div class="tools">
        <span class="quiet">{plural(all.length, "letter")}, the oldest first</span>
        <Acts>
          <button type="button" class="button" onClick={() => openAction({ kind: "resend", what })}>
            Send all again…
          </button>
        </Acts>
      </div>
      <ul class="cards">
        {all.map((letter) => (
          <LetterCard key={letter.id} letter={letter} />
        ))}
      </ul>
    </>
  );
}

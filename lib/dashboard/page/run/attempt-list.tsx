import type { AttemptView, RunView } from "../../../operations/index.ts";
import { durationText } from "../format/duration.ts";
import { plural } from "../format/words.ts";
import { target } from "../state/live.ts";
import { Section } from "../ui/facts.tsx";
import { Status } from "../ui/status.tsx";
import { When } from "../ui/when.tsx";
import { LogPlace } from "./log-place.tsx";

/** Every try of a run, the newest first. */
export function AttemptList({ run }: { run: RunView }) {
  if (run.attempts.length === 0) return null;
  return (
    <Section title="Attempts" aside={<span class="quiet">{plural(run.attempts.length, "attempt")}</span>}>
      <ol class="attempts">
        {[...run.attempts].reverse().map((attempt) => (
          <Attempt key={attempt.attempt} attempt={attempt} />
        ))}
      </ol>
    </Section>
  );
}

function Attempt({ attempt }: { attempt: AttemptView }) {
  const { error } = attempt;
  return (
    <li class="attempt">
      <div class="attempt-head">
        <b>{attempt.attempt}</b>
        <Status run={attempt} />
        <span class="quiet">
          <When at={attempt.startedAt} />
          {attempt.durationMs !== undefined && ` · took ${durationText(attempt.durationMs)}`}
        </span>
      </div>
      {error && (
        <pre class="error-text">
          <b>{error.name}</b>: {error.message}
        </pre>
      )}
      <div class="quiet attempt-foot">
        request <code class="breakable">{attempt.requestId}</code>
        <LogPlace log={attempt.log} isStack={target.value?.target.kind === "stack"} />
      </div>
    </li>
  );
}

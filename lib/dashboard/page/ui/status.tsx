import type { RunView } from "../../../operations/index.ts";
import { STATUS_WORDS } from "../format/words.ts";
import { StatusMark } from "./status-mark.tsx";

/** A run's status as a shape and a word. */
export function Status({ run }: { run: Pick<RunView, "status" | "interrupted" | "reason"> }) {
  const word = run.interrupted ? "interrupted" : STATUS_WORDS[run.status];
  const mark = run.interrupted ? "interrupted" : run.status;
  return (
    <span class={`status is-${mark.toLowerCase().replace("_", "-")}`}>
      <StatusMark mark={mark} />
      {word}
      {run.reason && <span class="quiet"> · {run.reason}</span>}
    </span>
  );
}

import type { RunView } from "../../../operations/index.ts";
import { skipWords } from "../format/words.ts";
import { runHref } from "../route.ts";
import { StatusMark } from "../ui/status-mark.tsx";

/** Why a run was skipped, and the way to the run that stood in its way. */
export function SkipNotice({ run }: { run: RunView }) {
  if (run.status !== "SKIPPED") return null;
  const { heldBy, sharedLock } = run;
  return (
    <p class="notice is-skipped">
      <StatusMark mark="SKIPPED" />
      <span>
        {skipWords(run)}
        {heldBy !== undefined && (
          <>
            {" "}
            It was held by{" "}
            <a href={runHref(sharedLock?.job ?? run.job, heldBy)} class="breakable">
              {heldBy}
            </a>
            .
          </>
        )}
      </span>
    </p>
  );
}

import type { Finding } from "../../../operations/index.ts";
import { get } from "../api/client.ts";
import { plural } from "../format/words.ts";
import { useLoaded } from "../state/loadable.ts";
import { Await } from "../ui/states.tsx";
import { StatusMark } from "../ui/status-mark.tsx";

const ORDER = ["failed", "warning", "ok"] as const;
const MARKS = { failed: "FAILED", warning: "warning", ok: "SUCCEEDED" } as const;
const WORDS = { failed: "failed", warning: "warning", ok: "fine" } as const;

/** What was checked: the machine, the runner or the stack, and the jobs; what is wrong first. */
export function DoctorPage() {
  const { state, reload } = useLoaded("doctor", () => get<Finding[]>("doctor"));
  return (
    <>
      <header class="page-head">
        <div class="page-title">
          <h1 tabIndex={-1}>Doctor</h1>
          <p class="lead">Checks of the machine, of the runner or the stack, and of the jobs.</p>
        </div>
        <div class="actions">
          <button type="button" class="button" onClick={reload}>
            Check again
          </button>
        </div>
      </header>
      <Await state={state.value} rows={6} retry={reload}>
        {(findings) => <Findings findings={findings} />}
      </Await>
    </>
  );
}

function Findings({ findings }: { findings: readonly Finding[] }) {
  const wrong = findings.filter(({ level }) => level !== "ok").length;
  const sorted = [...findings].sort((one, other) => ORDER.indexOf(one.level) - ORDER.indexOf(other.level));
  return (
    <>
      <p class={wrong === 0 ? "verdict is-well" : "verdict"}>
        {wrong === 0
          ? `All ${findings.length} checks are fine.`
          : `${plural(wrong, "finding")} of ${plural(findings.length, "check")} to look at.`}
      </p>
      <ul class="findings">
        {sorted.map(({ check, level, message, advice }) => (
          <li key={`${check} ${message}`} class={`finding is-${level}`}>
            <StatusMark mark={MARKS[level]} label={WORDS[level]} />
            <b>{check}</b>
            <span>
              {message}
              {advice && <span class="advice">{advice}</span>}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

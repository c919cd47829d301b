import type { RunView } from "../../../operations/index.ts";
import { durationText } from "../format/duration.ts";
import { triggerWords } from "../format/words.ts";
import { runHref } from "../route.ts";
import { Fact, Facts, Section } from "../ui/facts.tsx";
import { When } from "../ui/when.tsx";
import { lockWaitText } from "./course.ts";
import { RunsOfTime } from "./runs-of-time.tsx";

/** Who asked for the run, under which token it wrote, and which runs it has to do with. */
export function RunFacts({ run }: { run: RunView }) {
  const { trigger, rerunBy = [], workTime, fencingToken } = run;
  const schedule = run.schedule ?? run.workSchedule;
  const lockWait = lockWaitText(run);
  return (
    <Section title="Facts">
      <Facts>
        <Fact name="Trigger">{triggerWords(run)}</Fact>
        {trigger.by && <Fact name="By">{trigger.by}</Fact>}
        {trigger.account && <Fact name="Account">{trigger.account}</Fact>}
        {trigger.reason && <Fact name="Because">{trigger.reason}</Fact>}
        {schedule && <Fact name="Schedule">{schedule}</Fact>}
        {workTime && (
          <Fact name="Runs again">
            <RunsOfTime job={run.job} at={workTime} timeZone={run.timeZone} />
          </Fact>
        )}
        {rerunBy.length > 0 && (
          <Fact name="Run again by">
            {rerunBy.map((runId) => (
              <div key={runId}>
                <a href={runHref(run.job, runId)} class="breakable">
                  {runId}
                </a>
              </div>
            ))}
          </Fact>
        )}
        {run.lateMs !== undefined && <Fact name="Late">by {durationText(run.lateMs)}</Fact>}
        {run.waiting && (
          <Fact name="Waits for the lock">
            {run.waiting.position}. in the queue, since <When at={run.waiting.since} />
            {run.waiting.behind !== undefined && (
              <>
                , behind{" "}
                <a href={runHref(run.job, run.waiting.behind)} class="breakable">
                  {run.waiting.behind}
                </a>
              </>
            )}
          </Fact>
        )}
        {lockWait && <Fact name="Lock wait">{lockWait}</Fact>}
        {fencingToken > 0 && <Fact name="Fencing token">{fencingToken}</Fact>}
        <Fact name="Run id">
          <code class="breakable">{run.runId}</code>
        </Fact>
        <Fact name="Request id">
          <code class="breakable">{run.requestId}</code>
        </Fact>
      </Facts>
    </Section>
  );
}

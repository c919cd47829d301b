import type { JobDetail } from "../../../operations/index.ts";
import { durationText } from "../format/duration.ts";
import { runHref } from "../route.ts";
import { Fact, Facts, Section } from "../ui/facts.tsx";
import { When } from "../ui/when.tsx";
import { catchUpWords, OVERLAP_WORDS, queueWords } from "./policy-words.ts";

/** How the job is set up, and who holds its lock. */
export function JobFacts({ job }: { job: JobDetail }) {
  const { lock } = job;
  const queue = queueWords(job);
  const catchUp = catchUpWords(job);
  return (
    <Section title="Facts">
      <Facts>
        {lock && (
          <Fact name="Lock">
            <a href={runHref(job.job, lock.runId)}>held by attempt {lock.attempt}</a>, until{" "}
            <When at={lock.expiresAt} />
            {lock.locks && `, with ${lock.locks.join(", ")}`}
          </Fact>
        )}
        {job.waiting.length > 0 && (
          <Fact name="Waiting">
            <ol>
              {job.waiting.map(({ runId, since }) => (
                <li key={runId}>
                  <a href={runHref(job.job, runId)} class="breakable">
                    {runId}
                  </a>{" "}
                  <span class="quiet">
                    since <When at={since} />
                  </span>
                </li>
              ))}
            </ol>
          </Fact>
        )}
        {job.lastSuccess && (
          <Fact name="Last scheduled success">
            <When at={job.lastSuccess} />
          </Fact>
        )}
        <Fact name="Function">
          <code class="breakable">{job.functionName}</code>
        </Fact>
        <Fact name="Timeout">{durationText(job.timeoutMs)}</Fact>
        {job.heartbeatMs !== undefined && <Fact name="Heartbeat">every {durationText(job.heartbeatMs)}</Fact>}
        <Fact name="Overlap">{OVERLAP_WORDS[job.overlap]}</Fact>
        {queue && <Fact name="Queue">{queue}</Fact>}
        {catchUp && <Fact name="Catch-up">{catchUp}</Fact>}
        <Fact name="Retries">{job.retries}</Fact>
        {job.holdAfterTimeoutMs !== undefined && (
          <Fact name="Lock after a crash">held for {durationText(job.holdAfterTimeoutMs)}</Fact>
        )}
        <Fact name="Records kept">{durationText(job.retentionMs)}</Fact>
        {job.firstSeen && (
          <Fact name="First seen">
            <When at={job.firstSeen} />
          </Fact>
        )}
      </Facts>
    </Section>
  );
}

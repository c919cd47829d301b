import type { JobDetail } from "../../../operations/index.ts";
import { durationText } from "../format/duration.ts";
import { runHref } from "../route.ts";
import { Fact, Facts, Section } from "../ui/facts.tsx";
import { When } from "../ui/when.tsx";

const OVERLAP_WORDS: Readonly<Record<JobDetail["overlap"], string>> = {
  skip: "skip: one run at a time, others are skipped",
  queue: "queue: one run at a time, others wait",
  replace: "replace: the newest asks the one before it to stop",
  allow: "allow: runs may be at work beside each other",
};

const CATCH_UP_WORDS: Readonly<Record<NonNullable<JobDetail["catchUp"]>, string>> = {
  none: "none: missed occurrences are not run",
  latest: "latest: the newest missed occurrence is run",
  all: "all: missed occurrences are run",
};

/** How the job is set up, and who holds its lock. */
export function JobFacts({ job }: { job: JobDetail }) {
  const { lock } = job;
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
        {job.queueLength !== undefined && <Fact name="Queue">up to {job.queueLength}</Fact>}
        {job.catchUp && <Fact name="Catch-up">{CATCH_UP_WORDS[job.catchUp]}</Fact>}
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

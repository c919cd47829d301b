import type { LockView } from "../../../operations/index.ts";
import { jobHref, runHref } from "../route.ts";
import { jobNamed } from "../state/live.ts";
import { Fact, Facts } from "../ui/facts.tsx";
import { When } from "../ui/when.tsx";

/** Who holds a job's lock just now; it changes while one looks. */
export function HolderFacts({ job }: { job: string }) {
  const lock = lockOf(job);
  if (!lock) {
    return (
      <p class="form-text">
        Nobody holds the lock of <a href={jobHref(job)}>{job}</a> just now.
      </p>
    );
  }
  return (
    <Facts>
      <Fact name="Held by">
        <a href={runHref(job, lock.runId)}>{lock.runId}</a>, attempt {lock.attempt}
      </Fact>
      <Fact name="Since">
        <When at={lock.since} />
      </Fact>
      <Fact name="Until">
        <When at={lock.expiresAt} />
        {lock.dead && <span class="bad"> · its holder died</span>}
        {lock.heldOver && <span class="quiet"> · held over after a time-out or a crash</span>}
      </Fact>
      {lock.locks && <Fact name="Shared locks">{lock.locks.join(", ")}</Fact>}
      <Fact name="Invocation">
        <code>{lock.owner}</code>
      </Fact>
    </Facts>
  );
}

export function lockOf(job: string): LockView | undefined {
  return jobNamed(job)?.lock;
}

import type { JobState, RunView } from "../../../operations/index.ts";

type Status = RunView["status"];

/** What a status is called on the page. */
export const STATUS_WORDS: Readonly<Record<Status, string>> = {
  WAITING: "waiting",
  RUNNING: "running",
  SUCCEEDED: "succeeded",
  FAILED: "failed",
  TIMED_OUT: "timed out",
  LOST: "lost",
  CANCELLED: "cancelled",
  SKIPPED: "skipped",
};

/** What a state means, for those who meet the word for the first time. */
export const STATE_WORDS: Readonly<Record<JobState, string>> = {
  idle: "waits for its next occurrence",
  running: "a run is at work",
  interrupted: "the holder of its lock died; its run comes again",
  paused: "an operator has paused it",
  disabled: "its code, or its stage, disables it: it runs on request alone",
  removed: "it has left the stack",
  unreadable: "what is stored of it cannot be read",
};

/** FAILED, TIMED_OUT and LOST: those that people look for. */
export function isBad(status: Status): boolean {
  return status === "FAILED" || status === "TIMED_OUT" || status === "LOST";
}

export function skipWords({ reason, heldOver, queueFull, sharedLock }: RunView): string {
  if (reason === "paused") return "The job was paused when it fell due.";
  if (reason === "late") return "It was delivered later than the job's maxLateness allows.";
  if (reason === "cancelled") return "It waited for the job's lock, and an operator took it out of the queue.";
  if (queueFull) return "As many runs of the job waited for its lock as may.";
  if (heldOver) return "A run had timed out or crashed, and the job holds its lock for a while after that.";
  if (sharedLock) return `The lock “${sharedLock.name}”, which jobs share, was held by a run of ${sharedLock.job}.`;
  return "Another run of the job held its lock.";
}

export function triggerWords({ trigger }: RunView): string {
  if (trigger.kind === "schedule") return "by its schedule";
  if (trigger.kind === "run-requested") return "by an event on the bus";
  if (trigger.kind === "operator") return "by an operator";
  return "by an invocation of its function";
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}

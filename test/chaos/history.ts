import { openSync, readFileSync, writeSync } from "node:fs";

/** One thing that happened, as told by who saw it. Times are of the warped clock that nobody's skew touches. */
export type Entry =
  /** An event was put in front of a job's function. */
  | { kind: "delivered"; job: string; runId: string; deliveryId: string; commits: boolean }
  | { kind: "invoked"; job: string; runId: string; deliveryId: string; invocation: string; host: number }
  /** A handler started; it has to be gone at the deadline. */
  | {
      kind: "start";
      job: string;
      runId: string;
      invocation: string;
      attempt: number;
      fence: number;
      atMs: number;
      deadlineMs: number;
    }
  /** The handler is still there. */
  | { kind: "at-work"; invocation: string; atMs: number }
  /** The handler does a step of its run. */
  | { kind: "step"; job: string; runId: string; invocation: string }
  /** It was told that the step's result is kept. */
  | { kind: "step kept"; job: string; runId: string; invocation: string }
  | { kind: "end"; invocation: string; atMs: number; how: string }
  | { kind: "answered"; invocation: string; answer: Answer }
  | { kind: "dead-lettered"; job: string; runId: string; deliveryId: string }
  /** The table has done a write to the state of a job, or of "lock …": this run holds it then, and so many wait. */
  | { kind: "state"; job: string; fence?: number | undefined; holder?: string | undefined; waiting?: number }
  /** The table has done a write to a run's record. */
  | { kind: "recorded"; job: string; runId: string; status: string; fence: number }
  | { kind: "fault"; host: number; fault: string; operation: string }
  | { kind: "killed"; host: number; why: "deadline" | "chaos" }
  | { kind: "weather"; host: number; weather: string };

/** What the platform got from an invocation. */
export type Answer =
  | { outcome: "completed" | "duplicate" | "cancelled" | "queued" }
  | {
      outcome: "skipped";
      reason: string;
      heldBy?: string | undefined;
      sharedLock?: { name: string; job: string } | undefined;
    }
  | { outcome: "failed"; error: string }
  | { outcome: "died" };

export type Note = (entry: Entry) => void;

/**
 * Appends to the history. All processes write to one file, one line at a time, which the system appends as a whole: its
 * order is the order in which things were told, and a line stays when its writer is killed.
 */
export function appendTo(file: string): Note {
  const descriptor = openSync(file, "a");
  return (entry) => writeSync(descriptor, `${JSON.stringify(entry)}\n`);
}

export function readHistory(file: string): Entry[] {
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Entry);
}

import type { AuditEntry } from "./audit.ts";
import type { RunRecord } from "./record.ts";
import type { SharedLease, SharedLock } from "./shared-lock.ts";
import type { JobState, Lease, Pause, Place, QueueEntry, Stop, Success, Tally } from "./state.ts";

/** One request to the table, as data. What it does to which item under which condition is the store's business. */
export type Command =
  | { readonly kind: "read-state"; readonly job: string }
  | { readonly kind: "read-record"; readonly job: string; readonly runId: string }
  | { readonly kind: "find-success"; readonly job: string; readonly beforeMs: number; readonly cursor?: string }
  | AcquireNewest
  | AcquireAsSeen
  | Renew
  | AskToStop
  | TakeLock
  | { readonly kind: "renew-lock"; readonly lock: string; readonly lease: SharedLease }
  | { readonly kind: "release-lock"; readonly lock: string; readonly owner: string }
  | { readonly kind: "ask-lock-holder"; readonly lock: string; readonly stop: Stop }
  | TakeNumber
  | PutAsSeen
  | NoteEnd
  | JoinQueue
  | LeaveQueue
  | { readonly kind: "release"; readonly job: string; readonly owner: string; readonly tally?: Tally | undefined }
  | { readonly kind: "remove-dead-lease"; readonly job: string; readonly seen: Seen; readonly tally: Tally }
  | RaiseHighWater
  | Operate
  | { readonly kind: "put-record"; readonly record: RunRecord }
  | { readonly kind: "put-skipped"; readonly record: RunRecord };

/** The common case: no lease, not paused, newer than everything seen. */
export interface AcquireNewest {
  readonly kind: "acquire-newest";
  readonly job: string;
  readonly lease: Lease;
  readonly highWater: string;
}

/** After a look at the state: nothing that matters has changed since. */
export interface AcquireAsSeen {
  readonly kind: "acquire-as-seen";
  readonly job: string;
  readonly lease: Lease;
  readonly seen: Seen;
  /** A manual run is the operator's will and starts on a paused job. */
  readonly evenIfPaused: boolean;
  /** The pause that was seen and has run out: it goes. */
  readonly pauseOver?: Pause | undefined;
  /** Set when the occurrence is newer than the state's. */
  readonly highWater?: string | undefined;
  /** Where the run waits in the queue: its entry goes. */
  readonly leaves?: Place | undefined;
  /** Nobody else may be waiting. */
  readonly takesTurns: boolean;
  /** What the dead run left behind, when its lease is taken over. */
  readonly tally?: Tally | undefined;
}

/** The holder makes its lease last longer. */
export interface Renew {
  readonly kind: "renew";
  readonly job: string;
  /** The whole of it, with its new end and what the handler last said of its progress. */
  readonly lease: Lease;
}

/** Asks the owner of the lease to stop. Whoever asked first stays: it may have been heard already. */
export interface AskToStop {
  readonly kind: "ask-to-stop";
  readonly job: string;
  readonly stop: Stop;
  /** Where an operator asks: the entry that tells of it, written with the request or not at all. */
  readonly entry?: AuditEntry | undefined;
}

/** A lock that several jobs name: where it is free, or as it was seen, left by a dead run. */
export interface TakeLock {
  readonly kind: "take-lock";
  readonly lock: string;
  readonly lease: SharedLease;
  readonly startedMs: number;
  readonly seen?: SharedLock | undefined;
}

/** Without a lock: only the next fencing token. */
export interface TakeNumber {
  readonly kind: "take-number";
  readonly job: string;
  readonly nowMs: number;
  /** After a look: nobody has taken a lock since, from when the job has one, or will have. */
  readonly seen?: Seen | undefined;
  readonly evenIfPaused: boolean;
  /** The pause that was seen and has run out: it goes. */
  readonly pauseOver?: Pause | undefined;
  /** Set when the occurrence is newer than the state's: it still has to be. */
  readonly highWater?: string | undefined;
  /** Where the run waits in the queue, from when the job had a lock: its entry goes. */
  readonly leaves?: Place | undefined;
}

/** The run's record where it is as it was seen, or where there still is none. */
export interface PutAsSeen {
  readonly kind: "put-as-seen";
  readonly record: RunRecord;
  readonly seen?: RunRecord | undefined;
}

/** Without a lock: what a run leaves on the state, if nobody has left anything there since. */
export interface NoteEnd {
  readonly kind: "note-end";
  readonly job: string;
  readonly seen: Tally;
  readonly tally: Tally;
}

/** The queue is as long as it was seen; lock and holder are the same, too. */
export interface JoinQueue {
  readonly kind: "join-queue";
  readonly job: string;
  readonly seen: Seen;
  readonly entry: QueueEntry;
  /** False: at the end. True: it had its turn, and steps back. */
  readonly isFirst: boolean;
}

export interface LeaveQueue {
  readonly kind: "leave-queue";
  readonly job: string;
  readonly leaves: Place;
  /** Where an operator takes it out: as with a request to stop. */
  readonly entry?: AuditEntry | undefined;
}

/** The first half of a skip: from here on no delivery of the occurrence takes the fast way. */
export interface RaiseHighWater {
  readonly kind: "raise-high-water";
  readonly job: string;
  readonly seen: Seen;
  /** True: the job is still paused, whoever holds its lock. False: the holder is the one seen. */
  readonly whilePaused: boolean;
  readonly highWater: string;
  /** Where the skipped run waits in the queue: its entry goes. */
  readonly leaves?: Place | undefined;
}

/** An operator's action on the state, together with the entry that tells of it: both are written, or neither. */
export type Operate =
  | (Audited & { readonly kind: "pause"; readonly paused: Pause; readonly seen: Pause | undefined })
  | (Audited & { readonly kind: "resume"; readonly seen: Pause })
  /** Takes the lock from its holder: the next fencing token is out, so that whatever the holder writes is refused. */
  | (Audited & { readonly kind: "unlock"; readonly owner: string; readonly tally: Tally | undefined })
  /** No change of the state: only told. */
  | (Audited & { readonly kind: "note" });

interface Audited {
  readonly job: string;
  readonly entry: AuditEntry;
}

/** The part of a state that a later write insists on. */
export interface Seen {
  readonly fence?: number | undefined;
  readonly lease?: Pick<Lease, "owner" | "expiresAtMs"> | undefined;
  readonly queue?: readonly QueueEntry[] | undefined;
}

export interface Reply {
  /** The earlier of the own clock and the table's: what a lease's expiry is compared with. */
  readonly nowMs: number;
  /** Whether the write was done; true for a read. */
  readonly applied: boolean;
  /** The state as it stands after the command, done or refused; absent when there is none. */
  readonly state?: JobState | undefined;
  /** The same of a shared lock. */
  readonly lock?: SharedLock | undefined;
  /** The record as read, or the one that refused the write. */
  readonly record?: RunRecord | undefined;
  /** Answer to `find-success`; with a cursor and no success there is more to look through. */
  readonly success?: Success | undefined;
  readonly cursor?: string | undefined;
}

/** A protocol yields commands one by one, gets their replies, and returns its result. It has no clock and no store. */
export type Protocol<T> = Generator<Command, T, Reply>;

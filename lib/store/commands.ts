import type {
  AcquireAsSeen,
  AcquireNewest,
  AskToStop,
  Command,
  JoinQueue,
  LeaveQueue,
  Operate,
  RaiseHighWater,
  Renew,
  TakeNumber,
} from "../run/command.ts";
import type { Pause, Place, Tally } from "../run/state.ts";
import {
  encodeAudit,
  encodeLease,
  encodePause,
  encodeQueueEntry,
  encodeRecord,
  encodeStop,
  encodeTally,
  FORMAT_VERSION,
} from "./codec.ts";
import {
  type Condition,
  emptyQueue,
  fenceAsSeen,
  isHeldBy,
  isNewerThanAll,
  isNotOlderThanAll,
  isNotRenewedSince,
  isPaused,
  isReadable,
  lastAsSeen,
  leaseAsSeen,
  mayReplaceRecord,
  noLease,
  noRecord,
  noStop,
  notPaused,
  pauseAsSeen,
  queueAsSeen,
  recordAsSeen,
  waitsAt,
} from "./conditions.ts";
import { jobPartition, RUN_PREFIX, runKey, runSortKeyFrom, stateKey } from "./keys.ts";
import { lockRequestFor } from "./lock-commands.ts";
import type { Item, Query, Request, Update } from "./request.ts";
import { toEpochSeconds } from "./times.ts";

/** The one request that a command stands for. */
export function requestFor(fleet: string, command: Command): Request {
  switch (command.kind) {
    case "read-state":
      return { kind: "get", key: stateKey(fleet, command.job) };
    case "read-record":
      return { kind: "get", key: runKey(fleet, command.job, command.runId) };
    case "find-success":
      return findSuccess(fleet, command);
    case "acquire-newest":
      return acquireNewest(fleet, command);
    case "acquire-as-seen":
      return acquireAsSeen(fleet, command);
    case "renew":
      return renew(fleet, command);
    case "ask-to-stop":
      return askToStop(fleet, command);
    case "take-lock":
    case "renew-lock":
    case "release-lock":
    case "ask-lock-holder":
      return lockRequestFor(fleet, command);
    case "take-number":
      return takeNumber(fleet, command);
    case "put-as-seen":
      return { kind: "put", item: encodeRecord(fleet, command.record), condition: recordAsSeen(command.seen) };
    case "note-end":
      return { ...updateState(fleet, command.job, lastAsSeen(command.seen)), set: encodeTally(command.tally) };
    case "join-queue":
      return joinQueue(fleet, command);
    case "leave-queue":
      return leaveQueue(fleet, command);
    case "release":
      return removeLease(fleet, command.job, [isHeldBy(command.owner)], command.tally);
    case "remove-dead-lease": {
      const asSeen = [leaseAsSeen(command.seen), fenceAsSeen(command.seen)];
      return removeLease(fleet, command.job, asSeen, command.tally);
    }
    case "raise-high-water":
      return raiseHighWater(fleet, command);
    case "pause":
    case "resume":
    case "unlock":
    case "note":
      return operate(fleet, command);
    case "put-record":
      return {
        kind: "put",
        item: encodeRecord(fleet, command.record),
        condition: mayReplaceRecord(command.record),
      };
    case "put-skipped":
      return { kind: "put", item: encodeRecord(fleet, command.record), condition: noRecord };
  }
}

function acquireNewest(fleet: string, { job, lease, highWater }: AcquireNewest): Update {
  return {
    ...updateState(fleet, job, noLease, notPaused, isNewerThanAll(highWater), emptyQueue),
    set: { v: FORMAT_VERSION, lease: encodeLease(lease), highWater },
    remove: ["stop"],
    increment: { ...nextFence(lease.startedMs), copy: "leaseFence" },
  };
}

function acquireAsSeen(fleet: string, command: AcquireAsSeen): Update {
  const { job, lease, seen, evenIfPaused, pauseOver, highWater, leaves, takesTurns, tally } = command;
  const clauses = [
    leaseAsSeen(seen),
    fenceAsSeen(seen),
    ...(evenIfPaused ? [] : [pauseAsSeen(pauseOver)]),
    ...(highWater === undefined ? [] : [isNewerThanAll(highWater)]),
    ...(leaves ? [waitsAt(leaves)] : []),
    ...(takesTurns && !leaves ? [emptyQueue] : []),
  ];
  return {
    ...updateState(fleet, job, ...clauses),
    set: {
      v: FORMAT_VERSION,
      lease: encodeLease(lease),
      ...(highWater !== undefined && { highWater }),
      ...(tally && encodeTally(tally)),
    },
    remove: ["stop", ...(evenIfPaused ? [] : ended(pauseOver)), ...left(leaves)],
    increment: { ...nextFence(lease.startedMs), copy: "leaseFence" },
  };
}

function takeNumber(fleet: string, command: TakeNumber): Update {
  const { job, nowMs, seen, evenIfPaused, pauseOver, highWater, leaves } = command;
  const clauses = [
    ...(seen ? [leaseAsSeen(seen)] : []),
    ...(evenIfPaused ? [] : [pauseAsSeen(pauseOver)]),
    ...(highWater === undefined ? [] : [isNewerThanAll(highWater)]),
    ...(leaves ? [waitsAt(leaves)] : []),
  ];
  const set = { v: FORMAT_VERSION, ...(highWater !== undefined && { highWater }) };
  return {
    ...updateState(fleet, job, ...clauses),
    set,
    remove: [...(evenIfPaused ? [] : ended(pauseOver)), ...left(leaves)],
    increment: nextFence(nowMs),
  };
}

/** Only where the write insists on that pause: who starts all the same leaves it to those who heed it. */
function ended(pause: Pause | undefined): readonly string[] {
  return pause ? ["paused"] : [];
}

function left(place: Place | undefined): readonly string[] {
  return place ? [`queue[${place.at}]`] : [];
}

function joinQueue(fleet: string, { job, seen, entry, isFirst }: JoinQueue): Update {
  const clauses = [leaseAsSeen(seen), fenceAsSeen(seen), queueAsSeen(seen)];
  return {
    ...updateState(fleet, job, ...clauses),
    set: { v: FORMAT_VERSION },
    [isFirst ? "prepend" : "append"]: { queue: encodeQueueEntry(entry) },
  };
}

function leaveQueue(fleet: string, { job, leaves, entry }: LeaveQueue): Update {
  const beside = entry && encodeAudit(fleet, entry);
  return { ...updateState(fleet, job, waitsAt(leaves)), remove: left(leaves), beside };
}

function renew(fleet: string, { job, lease }: Renew): Update {
  const clauses = [isHeldBy(lease.owner), isNotRenewedSince(lease)];
  return { ...updateState(fleet, job, ...clauses), set: { lease: encodeLease(lease) } };
}

function askToStop(fleet: string, { job, stop, entry }: AskToStop): Update {
  const beside = entry && encodeAudit(fleet, entry);
  return { ...updateState(fleet, job, isHeldBy(stop.owner), noStop), set: { stop: encodeStop(stop) }, beside };
}

function raiseHighWater(fleet: string, command: RaiseHighWater): Update {
  const { job, seen, whilePaused, highWater, leaves } = command;
  const holder = whilePaused ? isPaused : leaseAsSeen(seen);
  const clauses = [fenceAsSeen(seen), holder, isNotOlderThanAll(highWater), ...(leaves ? [waitsAt(leaves)] : [])];
  return { ...updateState(fleet, job, ...clauses), set: { v: FORMAT_VERSION, highWater }, remove: left(leaves) };
}

function removeLease(fleet: string, job: string, clauses: readonly Condition[], tally: Tally | undefined): Update {
  return {
    ...updateState(fleet, job, ...clauses),
    set: tally ? encodeTally(tally) : {},
    remove: ["lease", "leaseFence", "stop"],
  };
}

/** An operator's action, and in the same transaction the entry that tells of it. */
function operate(fleet: string, command: Operate): Request {
  const { job, entry } = command;
  const audit = encodeAudit(fleet, entry);
  switch (command.kind) {
    case "pause": {
      const set = { v: FORMAT_VERSION, paused: encodePause(command.paused) };
      return { ...updateState(fleet, job, pauseAsSeen(command.seen)), set, beside: audit };
    }
    case "resume":
      return { ...updateState(fleet, job, pauseAsSeen(command.seen)), remove: ["paused"], beside: audit };
    case "unlock": {
      const taken = removeLease(fleet, job, [isHeldBy(command.owner)], command.tally);
      return { ...taken, increment: nextFence(entry.atMs), beside: audit };
    }
    case "note":
      return { kind: "put", item: audit, condition: noRecord };
  }
}

function findSuccess(fleet: string, { job, beforeMs, cursor }: Extract<Command, { kind: "find-success" }>): Query {
  return {
    kind: "query",
    pk: jobPartition(fleet, job),
    from: RUN_PREFIX,
    to: runSortKeyFrom(beforeMs),
    descending: true,
    after: cursor,
    filter: allOf({ path: "status", is: "=", value: "SUCCEEDED" }, { present: "scheduledTime" }),
  };
}

/** A new item starts from the epoch's seconds, so that deleting the state never makes the fence go back. */
function nextFence(nowMs: number): NonNullable<Update["increment"]> {
  return { attribute: "fence", from: toEpochSeconds(nowMs) };
}

function updateState(fleet: string, job: string, ...clauses: readonly Condition[]): Update {
  return {
    kind: "update",
    key: stateKey(fleet, job),
    condition: allOf(...clauses, isReadable),
    set: {} satisfies Item,
    remove: [],
  };
}

function allOf(...conditions: readonly Condition[]): Condition {
  return { allOf: conditions };
}

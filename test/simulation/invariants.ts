import type { JobState, RunRecord } from "../../lib/run/index.ts";
import type { Item } from "../../lib/store/request.ts";

const FINAL = ["SUCCEEDED", "CANCELLED", "SKIPPED"];

export class Violation extends Error {}

// What has to hold at every moment of a world, and at its end. `started`: the runs whose handler ever started.

interface Start {
  readonly owner: string;
  readonly runId: string;
  readonly fencingToken: number;
  /** How many steps it is told that it need not do again. */
  readonly steps: number;
}

/**
 * A handler starts, told this fencing token.
 * @param locked the item whose lease shuts others out: the state, or without a lock the run's own record
 * @param atWork the run whose handler is still at work and must not be
 * @param newestToken the greatest of those that it shuts out, and was told before; by default the one before that of the
 *   lease
 */
export function checkStart(
  { owner, runId, fencingToken, steps }: Start,
  locked: Item | undefined,
  record: Item | undefined,
  atWork: string | undefined,
  newestToken = Number(locked?.["leaseFence"] ?? locked?.["fence"]) - 1,
): void {
  const status = String(record?.["status"]);
  const lease = locked?.["lease"] as Item | undefined;
  refuse(atWork !== undefined, `I1: ${runId} starts beside ${atWork}`);
  refuse(FINAL.includes(status), `I2, I8: ${runId} starts though it is ${status}`);
  refuse(lease?.["owner"] !== owner, `I1: ${runId} starts without the lock`);
  refuse(fencingToken > Number(locked?.["fence"]), `I3: ${runId} starts with token ${fencingToken}, not the lock's`);
  refuse(fencingToken <= newestToken, `I3: ${runId} starts with token ${fencingToken} after ${newestToken}`);
  refuse(steps < Number(record?.["stepCount"] ?? 0), `I9: ${runId} starts without a step that is on its record`);
}

/** A handler starts with a token that no other run of its job was told. */
export function checkToken(
  runId: string,
  fencingToken: number,
  others: readonly Pick<Start, "runId" | "fencingToken">[],
) {
  const same = others.find((other) => other.runId !== runId && other.fencingToken === fencingToken);
  refuse(same !== undefined, `I3: ${runId} starts with token ${fencingToken}, as ${same?.runId} did`);
}

/** A handler starts. @param heldOver a run that shut it out, and whose hold is not over */
export function checkHeldOver(runId: string, heldOver: string | undefined): void {
  refuse(heldOver !== undefined, `I1: ${runId} starts in the hold of ${heldOver}`);
}

/** A handler starts that names this shared lock. */
export function checkLock(runId: string, owner: string, locked: Item | undefined): void {
  const lease = locked?.["lease"] as Item | undefined;
  refuse(lease?.["owner"] !== owner, `I1: ${runId} starts without a shared lock`);
}

export function checkChange(before: Item | undefined, after: Item, started: ReadonlySet<string>): void {
  if (after["sk"] === "state") checkState(before, after);
  else checkRecord(before, after, started);
}

/** With overlap `queue` nobody overtakes those who wait. */
export function checkTurn(before: Item | undefined, after: Item): void {
  if (after["sk"] !== "state") return;
  const lease = after["lease"] as Item | undefined;
  const leaseBefore = before?.["lease"] as Item | undefined;
  const [head] = (before?.["queue"] ?? []) as Item[];
  const isNewLease = lease !== undefined && lease["owner"] !== leaseBefore?.["owner"];
  refuse(
    isNewLease && head !== undefined && head["runId"] !== lease["runId"],
    `${lease?.["runId"]} overtakes the queue`,
  );
}

/** One that ends by itself has run out in every world. */
export function isPaused(state: Item | undefined): boolean {
  const pause = state?.["paused"] as Item | undefined;
  return pause !== undefined && pause["until"] === undefined;
}

export function checkEnd(
  runId: string,
  record: Item | undefined,
  isDeadLettered: boolean,
  started: ReadonlySet<string>,
): void {
  const status = String(record?.["status"]);
  refuse(!FINAL.includes(status) && !isDeadLettered, `I6: ${runId} vanished, it is ${status}`);
  refuse(status === "SKIPPED" && started.has(runId), `I8: ${runId} started and is SKIPPED`);
}

/** What the next run is told to go on from. */
export function checkLastSuccess({ lease, lastSuccess }: JobState, records: readonly RunRecord[]): void {
  const succeeded = records.filter(({ status, scheduledTimeMs }) => status === "SUCCEEDED" && scheduledTimeMs);
  const newest = succeeded
    .map(({ runId }) => runId)
    .sort()
    .at(-1);
  refuse(!lease && lastSuccess?.runId !== newest, `the last success is ${newest}, and not ${lastSuccess?.runId}`);
}

/** Somebody, or too many who wait, were in the way of who was skipped for overlap. */
export function checkReason({ runId, status, reason, heldBy, queueFull, sharedLock }: RunRecord): void {
  const isForOverlap = status === "SKIPPED" && reason === "overlap";
  refuse(isForOverlap && !heldBy && !queueFull, `I7: ${runId} is skipped for nobody`);
  refuse(queueFull === true && (!isForOverlap || sharedLock !== undefined), `${runId} says that a queue was full`);
}

function checkState(before: Item | undefined, after: Item): void {
  const fence = Number(after["fence"] ?? 0);
  const newestFence = Number(before?.["fence"] ?? 0);
  const lease = after["lease"] as Item | undefined;
  const leaseBefore = before?.["lease"] as Item | undefined;
  const isNewLease = lease !== undefined && lease["owner"] !== leaseBefore?.["owner"];
  const runId = String(lease?.["runId"]);
  const isScheduled = (lease?.["trigger"] as Item | undefined)?.["kind"] === "schedule";
  refuse(isNewLease && isPaused(before) && isScheduled, `${runId} ignores the pause`);
  refuse(isPaused(before) && after["paused"] === undefined, "a pause that lasts was taken away");
  refuse(isNewLease && fence <= newestFence, `I3: fence ${fence} after ${newestFence}`);
  const stop = after["stop"] as Item | undefined;
  refuse(
    stop !== undefined && stop["owner"] !== lease?.["owner"],
    "a request to stop outlives the lease that it was for",
  );
  refuse(fence < newestFence, `I3: the fence went back to ${fence}`);
  refuse(String(after["highWater"] ?? "") < String(before?.["highWater"] ?? ""), "the mark went back");
}

function checkRecord(before: Item | undefined, after: Item, started: ReadonlySet<string>): void {
  const runId = String(after["runId"]);
  const status = String(after["status"]);
  refuse(status === "SKIPPED" && started.has(runId), `I8: ${runId} is skipped though it started`);
  if (!before || JSON.stringify(before) === JSON.stringify(after)) return;
  const was = String(before["status"]);
  const fence = Number(after["fence"]);
  const isSuccessor = fence > Number(before["fence"]) || (fence === before["fence"] && was === "RUNNING");
  refuse(FINAL.includes(was), `I5: ${runId} was ${was} and became ${status}`);
  refuse(!isSuccessor, `I4, I5: ${runId} ${was} replaced by ${status} at fence ${fence}`);
  const forgets = !FINAL.includes(status) && Number(after["stepCount"] ?? 0) < Number(before["stepCount"] ?? 0);
  refuse(forgets, `I9: ${runId} ${status} has forgotten a step`);
  const isCounted = fence === before["fence"] || Number(after["attempt"]) > Number(before["attempt"]);
  refuse(!isCounted, `I8: ${runId} has a new attempt that is not counted`);
}

function refuse(isBroken: boolean, what: string): void {
  if (isBroken) throw new Violation(what);
}

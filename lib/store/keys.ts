import { encodePart } from "../run/identity.ts";

/** The names of the table's key and expiry attributes. */
export const PARTITION_KEY = "pk";
export const SORT_KEY = "sk";
export const TTL_ATTRIBUTE = "ttl";

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** Everything about one job: its state, runs and audit entries. The only partition that the job's role may touch. */
export function jobPartition(fleet: string, job: string): string {
  return `${jobPartitionPrefix(fleet)}${encodePart(job)}`;
}

/** What the partitions of all jobs of a fleet begin with, and no others. */
export function jobPartitionPrefix(fleet: string): string {
  return `${encodePart(fleet)}#job#`;
}

/** A lock that several jobs name. The roles of these jobs may touch it, and no others. */
export function lockPartition(fleet: string, lock: string): string {
  return `${lockPartitionPrefix(fleet)}${encodePart(lock)}`;
}

/** What the partitions of all shared locks of a fleet begin with, and no others. */
export function lockPartitionPrefix(fleet: string): string {
  return `${encodePart(fleet)}#lock#`;
}

export function lockKey(fleet: string, lock: string): Key {
  return { pk: lockPartition(fleet, lock), sk: STATE_SORT_KEY };
}

/** The list of a stack's jobs. */
export function fleetPartition(fleet: string): string {
  return `${encodePart(fleet)}#fleet`;
}

export function stateKey(fleet: string, job: string): Key {
  return { pk: jobPartition(fleet, job), sk: STATE_SORT_KEY };
}

/** @param runId made by `scheduledRunId` or `manualRunId`, which encode what came from outside */
export function runKey(fleet: string, job: string, runId: string): Key {
  return { pk: jobPartition(fleet, job), sk: runSortKey(runId) };
}

export function fleetJobKey(fleet: string, job: string): Key {
  return { pk: fleetPartition(fleet), sk: `${FLEET_JOB_PREFIX}${encodePart(job)}` };
}

/** What the watchdog keeps for itself. */
export function watchdogKey(fleet: string): Key {
  return { pk: fleetPartition(fleet), sk: "watchdog" };
}

export const FLEET_JOB_PREFIX = "job#";
/** Sorts after every run, so that one descending query gives the state and then the newest runs. */
export const STATE_SORT_KEY = "state";
export const RUN_PREFIX = "run#";
/** Runs whose request carried no time. They sort before all others. */
export const TIMELESS_RUN_PREFIX = "manual#";

/** Operators' actions, in the order of time; before all runs. */
export const AUDIT_PREFIX = "audit#";

export function auditKey(fleet: string, job: string, atMs: number, id: string): Key {
  return { pk: jobPartition(fleet, job), sk: `${AUDIT_PREFIX}${new Date(atMs).toISOString()}#${encodePart(id)}` };
}

export function runSortKey(runId: string): string {
  return runId.startsWith(TIMELESS_RUN_PREFIX) ? runId : `${RUN_PREFIX}${runId}`;
}

/** The sort key that every run from this instant on is at or after. */
export function runSortKeyFrom(timeMs: number): string {
  return `${RUN_PREFIX}${new Date(timeMs).toISOString()}`;
}

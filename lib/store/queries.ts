import type { AuditEntry } from "../run/audit.ts";
import { runTimeMs } from "../run/identity.ts";
import type { RunRecord, RunStatus } from "../run/record.ts";
import { shownRuns } from "../run/records.ts";
import { type JobState, NOTHING_YET } from "../run/state.ts";
import { decodeAudit, decodeRecord, decodeState } from "./codec.ts";
import {
  AUDIT_PREFIX,
  jobPartition,
  RUN_PREFIX,
  runKey,
  runSortKey,
  runSortKeyFrom,
  SORT_KEY,
  STATE_SORT_KEY,
  stateKey,
  TIMELESS_RUN_PREFIX,
} from "./keys.ts";
import type { Item, Query } from "./request.ts";
import { pages, send, type TableOptions } from "./sender.ts";

/** One page of a job: its state and its newest runs. */
export interface JobPage {
  /** Absent while nothing happened to the job, and on later pages. */
  readonly state?: JobState | undefined;
  /** Newest first; those whose request carried no time are last. */
  readonly runs: readonly RunRecord[];
  /** Give it as `before` for the next page; absent on the last. */
  readonly before?: string | undefined;
}

export interface RunQueries {
  /** State and newest runs in one request. */
  readJob(job: string, options: { limit: number; before?: string }): Promise<JobPage>;
  readRun(job: string, runId: string): Promise<RunRecord | undefined>;
  /** The newest runs, by time, of all kinds. Reads as many pages as it takes. */
  listRuns(job: string, options: { status?: RunStatus; sinceMs?: number; limit: number }): Promise<RunRecord[]>;
  /** What operators did to the job, newest first. */
  listAudit(job: string, options: { limit: number }): Promise<AuditEntry[]>;
}

/** What operators read. A run is shown as RUNNING from its lease, before it has a record. */
export function createRunQueries(options: TableOptions): RunQueries {
  const { fleet } = options;
  return {
    async readJob(job, { limit, before }) {
      const query: Query = {
        kind: "query",
        pk: jobPartition(fleet, job),
        from: TIMELESS_RUN_PREFIX,
        to: STATE_SORT_KEY,
        descending: true,
        after: before === undefined ? undefined : runSortKey(before),
        // The state is one of the first page's items.
        limit: before === undefined ? limit + 1 : limit,
      };
      const { items = [], nowMs, after } = await send(query, options);
      const stateItem = items.find(isState);
      const state = stateItem && decodeState(stateItem);
      const records = items.filter((item) => !isState(item)).map(decodeRecord);
      const next = after === undefined ? undefined : records.at(-1)?.runId;
      return { state, runs: state ? shownRuns(job, state, records, nowMs) : records, before: next };
    },

    async readRun(job, runId) {
      const { item: stateItem, nowMs } = await send({ kind: "get", key: stateKey(fleet, job) }, options);
      const { item } = await send({ kind: "get", key: runKey(fleet, job, runId) }, options);
      const state = stateItem ? decodeState(stateItem) : NOTHING_YET;
      const runs = shownRuns(job, state, item ? [decodeRecord(item)] : [], nowMs);
      return runs.find((run) => run.runId === runId);
    },

    async listRuns(job, { status, sinceMs, limit }) {
      const pk = jobPartition(fleet, job);
      const from = sinceMs === undefined ? RUN_PREFIX : runSortKeyFrom(sinceMs);
      const timed: Query = { kind: "query", pk, from, to: STATE_SORT_KEY, descending: true };
      const timeless: Query = { ...timed, from: TIMELESS_RUN_PREFIX, to: RUN_PREFIX };
      const isWanted = (run: RunRecord) =>
        (status === undefined || run.status === status) && (sinceMs === undefined || timeOf(run) >= sinceMs);

      const records: RunRecord[] = [];
      for await (const { items = [] } of pages(timeless, options)) records.push(...items.map(decodeRecord));
      let state = NOTHING_YET;
      let runs: RunRecord[] = [];
      for await (const { items = [], nowMs } of pages(timed, options)) {
        for (const item of items) {
          if (isState(item)) state = decodeState(item);
          else records.push(decodeRecord(item));
        }
        runs = shownRuns(job, state, records, nowMs).filter(isWanted);
        if (runs.length >= limit) break;
      }
      return runs.sort((one, other) => timeOf(other) - timeOf(one)).slice(0, limit);
    },

    async listAudit(job, { limit }) {
      const range = { from: AUDIT_PREFIX, to: `${AUDIT_PREFIX}\uffff`, descending: true };
      const entries: AuditEntry[] = [];
      for await (const { items = [] } of pages(
        { kind: "query", pk: jobPartition(fleet, job), ...range, limit },
        options,
      )) {
        entries.push(...items.map(decodeAudit));
        if (entries.length >= limit) break;
      }
      return entries.slice(0, limit);
    },
  };
}

function isState(item: Item): boolean {
  return item[SORT_KEY] === STATE_SORT_KEY;
}

function timeOf(run: RunRecord): number {
  return runTimeMs(run.runId) ?? run.startedMs ?? run.endedMs ?? 0;
}

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

  /**
   * The state and the record are two looks: a run that began between them has no lease in the state. A lost one stands
   * still, so that the next two find its record as it was.
   */
  async function readRun(job: string, runId: string): Promise<RunRecord | undefined> {
    let before: RunRecord | undefined;
    for (;;) {
      const { item: stateItem, nowMs } = await send({ kind: "get", key: stateKey(fleet, job) }, options);
      const { item } = await send({ kind: "get", key: runKey(fleet, job, runId) }, options);
      const state = stateItem ? decodeState(stateItem) : NOTHING_YET;
      const record = item && decodeRecord(item);
      const run = shownRuns(job, state, record ? [record] : [], nowMs).find((shown) => shown.runId === runId);
      if (!isTakenForLost(run, record) || before?.fence === record?.fence) return run;
      before = record;
    }
  }

  return {
    readRun,

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
      let pagesRead = 0;
      for await (const { items = [], nowMs } of pages(timed, options)) {
        pagesRead++;
        for (const item of items) {
          if (isState(item)) state = decodeState(item);
          else records.push(decodeRecord(item));
        }
        runs = shownRuns(job, state, records, nowMs);
        if (runs.filter(isWanted).length >= limit) break;
      }
      // The state is the first page's: a run that began since has no lease in it.
      const open = new Map(records.filter(({ status }) => status === "RUNNING").map((run) => [run.runId, run]));
      const asNow = async (run: RunRecord) =>
        isTakenForLost(run, open.get(run.runId)) ? ((await readRun(job, run.runId)) ?? run) : run;
      if (pagesRead > 1) runs = await Promise.all(runs.map(asNow));
      const wanted = runs.filter(isWanted);
      return wanted.sort((one, other) => timeOf(other) - timeOf(one)).slice(0, limit);
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

/** Its record says that it is at work, and nobody seems to be. */
function isTakenForLost(shown: RunRecord | undefined, record: RunRecord | undefined): boolean {
  return shown?.status === "LOST" && record?.status === "RUNNING";
}

function isState(item: Item): boolean {
  return item[SORT_KEY] === STATE_SORT_KEY;
}

function timeOf(run: RunRecord): number {
  return runTimeMs(run.runId) ?? run.startedMs ?? run.endedMs ?? 0;
}

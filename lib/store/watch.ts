import type * as v from "valibot";
import type { RunRecord } from "../run/record.ts";
import { type JobState, NOTHING_YET } from "../run/state.ts";
import { decodeRecord, decodeState, FORMAT_VERSION, parse } from "./codec.ts";
import type { Watch } from "./fleet.ts";
import { fleetJobKey, jobPartition, runSortKeyFrom, SORT_KEY, STATE_SORT_KEY, watchdogKey } from "./keys.ts";
import type { Item } from "./request.ts";
import { WatchdogItem, type WatchMap } from "./schemas.ts";
import { pages, send, type TableOptions } from "./sender.ts";
import { toTimeText } from "./times.ts";

/** What the watchdog keeps for itself from one look to the next. */
export interface WatchdogNotes {
  /** The first job that the last look had no time for. */
  readonly nextJob?: string | undefined;
  /** Until then nothing was delivered, and it is known: occurrences before it are not reported as missed. */
  readonly awayUntilMs?: number | undefined;
}

/** A job as it stands: what is written later may not be seen. */
export interface JobAsSeen {
  readonly state: JobState;
  /** Oldest first, by the time that they are for. */
  readonly runs: readonly RunRecord[];
  readonly nowMs: number;
}

export interface WatchStore {
  readNotes(): Promise<WatchdogNotes>;
  noteNextJob(job: string | undefined): Promise<void>;
  noteAway(untilMs: number): Promise<void>;
  /** A job's state and its runs that are for this time or later, one query. */
  readJob(job: string, sinceMs: number): Promise<JobAsSeen>;
  /** Remembers a look. False: another watchdog has looked since `seen`. */
  noteWatch(job: string, seen: Watch | undefined, watch: Watch): Promise<boolean>;
}

export function createWatchStore(options: TableOptions): WatchStore {
  const { fleet } = options;
  const note = (set: Item, remove: readonly string[] = []) =>
    send({ kind: "update", key: watchdogKey(fleet), set: { v: FORMAT_VERSION, ...set }, remove }, options);
  return {
    async readNotes() {
      const { item } = await send({ kind: "get", key: watchdogKey(fleet) }, options);
      if (!item) return {};
      const { nextJob, awayUntil } = parse(WatchdogItem, item);
      return { nextJob, awayUntilMs: awayUntil };
    },

    async noteNextJob(job) {
      await (job === undefined ? note({}, ["nextJob"]) : note({ nextJob: job }));
    },

    async noteAway(untilMs) {
      await note({ awayUntil: toTimeText(untilMs) });
    },

    async readJob(job, sinceMs) {
      const range = { from: runSortKeyFrom(sinceMs), to: STATE_SORT_KEY, descending: false };
      let state = NOTHING_YET;
      let nowMs = 0;
      const runs: RunRecord[] = [];
      for await (const page of pages({ kind: "query", pk: jobPartition(fleet, job), ...range }, options)) {
        for (const item of page.items ?? []) {
          if (item[SORT_KEY] === STATE_SORT_KEY) state = decodeState(item);
          else runs.push(decodeRecord(item));
        }
        nowMs = page.nowMs;
      }
      return { state, runs, nowMs };
    },

    async noteWatch(job, seen, watch) {
      const { applied } = await send(
        {
          kind: "update",
          key: fleetJobKey(fleet, job),
          condition: {
            allOf: [
              { present: "pk" },
              seen ? { path: "watch.at", is: "=", value: toTimeText(seen.atMs) } : { absent: "watch" },
            ],
          },
          set: { watch: encodeWatch(watch) },
          remove: [],
        },
        options,
      );
      return applied;
    },
  };
}

export function decodeWatch({ at, openSince, schedules }: v.InferOutput<typeof WatchMap>): Watch {
  const decoded = Object.entries(schedules).map(([name, { spec, until, anchor }]) => {
    return [name, { spec, untilMs: until, anchorMs: anchor }] as const;
  });
  return { atMs: at, openSinceMs: openSince, schedules: Object.fromEntries(decoded) };
}

function encodeWatch({ atMs, openSinceMs, schedules }: Watch): Item {
  const encoded = Object.entries(schedules).map(([name, { spec, untilMs, anchorMs }]) => {
    return [name, { spec, until: toTimeText(untilMs), anchor: toTimeText(anchorMs) }];
  });
  return {
    at: toTimeText(atMs),
    ...(openSinceMs !== undefined && { openSince: toTimeText(openSinceMs) }),
    schedules: Object.fromEntries(encoded),
  };
}

import type { Overlap } from "../run/delivery.ts";
import type { ScheduleSpec } from "../schedule/index.ts";
import { FORMAT_VERSION, parse } from "./codec.ts";
import { FLEET_JOB_PREFIX, fleetJobKey, fleetPartition } from "./keys.ts";
import type { Item } from "./request.ts";
import { FleetItem } from "./schemas.ts";
import { pages, send, type TableOptions } from "./sender.ts";
import { toTimeText } from "./times.ts";

/** A job as the fleet's list knows it. */
export interface FleetJob {
  readonly job: string;
  readonly functionName: string;
  readonly schedules: Readonly<Record<string, ScheduleSpec>>;
  readonly description?: string | undefined;
  readonly enabled: boolean;
  readonly overlap: Overlap;
  readonly retries: number;
  readonly timeoutMs: number;
  readonly retentionMs: number;
  /** By schedule. */
  readonly maxLatenessMs: Readonly<Record<string, number>>;
}

export interface ListedJob extends FleetJob {
  readonly firstSeenMs: number;
  /** When the job left the stack; its runs are still there. */
  readonly removedMs?: number | undefined;
}

export interface FleetRegister {
  /** All jobs by name, also removed ones. */
  readFleet(): Promise<ListedJob[]>;
  /** Writes what the stack says of a job; `nowMs` counts as first seen when the job is new. */
  putFleetJob(job: FleetJob, nowMs: number): Promise<void>;
  /** Marks a job as no longer in the stack. */
  removeFleetJob(job: string, nowMs: number): Promise<void>;
}

/** The list of a stack's jobs: one query. */
export function createFleetRegister(options: TableOptions): FleetRegister {
  const { fleet } = options;
  return {
    async readFleet() {
      const range = { from: FLEET_JOB_PREFIX, to: `${FLEET_JOB_PREFIX}\uffff`, descending: false };
      const items: Item[] = [];
      for await (const page of pages({ kind: "query", pk: fleetPartition(fleet), ...range }, options)) {
        items.push(...(page.items ?? []));
      }
      return items.map(decodeFleetJob);
    },

    async putFleetJob(job, nowMs) {
      parse(FleetItem, { ...job, firstSeenAt: toTimeText(nowMs) });
      await send(
        {
          kind: "update",
          key: fleetJobKey(fleet, job.job),
          set: { v: FORMAT_VERSION, ...job },
          setIfAbsent: { firstSeenAt: toTimeText(nowMs) },
          remove: ["removedAt", ...(job.description === undefined ? ["description"] : [])],
        },
        options,
      );
    },

    async removeFleetJob(job, nowMs) {
      await send(
        {
          kind: "update",
          key: fleetJobKey(fleet, job),
          condition: { present: "pk" },
          set: { removedAt: toTimeText(nowMs) },
          remove: [],
        },
        options,
      );
    },
  };
}

function decodeFleetJob(item: Item): ListedJob {
  const { firstSeenAt, removedAt, ...same } = parse(FleetItem, item);
  return { ...same, firstSeenMs: firstSeenAt, removedMs: removedAt };
}

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
  readonly overlap: "skip";
  readonly retries: number;
  readonly timeoutMs: number;
  readonly retentionMs: number;
  /** By schedule. */
  readonly maxLatenessMs: Readonly<Record<string, number>>;
  /** When the job was first written here; kept when it is written again. */
  readonly firstSeenMs: number;
  /** When the job left the stack; its runs are still there. */
  readonly removedAtMs?: number | undefined;
}

export interface FleetRegister {
  /** All jobs by name, also removed ones. */
  readFleet(): Promise<FleetJob[]>;
  /** Writes what the stack says of a job, which is then no longer removed. */
  putFleetJob(job: Omit<FleetJob, "removedAtMs">): Promise<void>;
  /** Marks a job as no longer in the stack. */
  removeFleetJob(job: string, removedAtMs: number): Promise<void>;
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

    async putFleetJob({ firstSeenMs, ...job }) {
      const firstSeenAt = toTimeText(firstSeenMs);
      parse(FleetItem, { ...job, firstSeenAt });
      await send(
        {
          kind: "update",
          key: fleetJobKey(fleet, job.job),
          set: { v: FORMAT_VERSION, ...job },
          setIfAbsent: { firstSeenAt },
          remove: job.description === undefined ? ["removedAt", "description"] : ["removedAt"],
        },
        options,
      );
    },

    async removeFleetJob(job, removedAtMs) {
      await send(
        {
          kind: "update",
          key: fleetJobKey(fleet, job),
          condition: { present: "pk" },
          set: { removedAt: toTimeText(removedAtMs) },
          remove: [],
        },
        options,
      );
    },
  };
}

function decodeFleetJob(item: Item): FleetJob {
  const { firstSeenAt, removedAt, ...same } = parse(FleetItem, item);
  return { ...same, firstSeenMs: firstSeenAt, removedAtMs: removedAt };
}

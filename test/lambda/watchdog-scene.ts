import { countingStore } from "../../lib/lambda/counting-store.ts";
import type { ManifestJob } from "../../lib/lambda/manifest.ts";
import { lookAtFleet } from "../../lib/lambda/watchdog/look-at-fleet.ts";
import type { Watchdog } from "../../lib/lambda/watchdog/watchdog.ts";
import {
  begin,
  type Delivery,
  type DeployedSchedule,
  finish,
  type Outcome,
  pause,
  resume,
  scheduledRunId,
} from "../../lib/run/index.ts";
import {
  createFleetRegister,
  createRunQueries,
  createRunStore,
  createWatchStore,
  perform,
} from "../../lib/store/index.ts";
import { type LogLine, logInto, type TestTable } from "./harness.ts";

export const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const ALICE = { by: "alice", reason: "the source is down", retentionMs: 90 * DAY };

/** Every 15 minutes, given up after 5. */
export const rates: ManifestJob = {
  job: "sync-rates",
  functionName: "shop_sync-rates",
  schedules: { default: { expression: "cron(0/15 * * * ? *)", timeZone: "UTC" } },
  enabled: true,
  overlap: "skip",
  retries: 2,
  timeoutMs: MINUTE,
  retentionMs: 90 * DAY,
  maxLatenessMs: { default: 5 * MINUTE },
  catchUp: "none",
  queueLength: 10,
  scheduleNames: { default: "sync-rates" },
};

/** The instant of a time on the day of all these tests. */
export function at(time: string): number {
  return Date.parse(`2026-05-02T${time}:00.000Z`);
}

let fleets = 0;

/** A fleet of its own on a real table, whose clock stands where it is set. */
export function watchdogScene(table: TestTable, jobs: readonly ManifestJob[]) {
  const fleet = `watched-${++fleets}`;
  let nowMs = at("00:00");
  const options = { client: table.client, tableName: table.tableName, fleet, clock: () => nowMs };
  const counted: (readonly unknown[])[] = [];
  const lines: LogLine[] = [];
  const invoked: { functionName: string; event: Record<string, unknown> }[] = [];
  const asked: string[] = [];
  const deployed = new Map<string, DeployedSchedule | "deleted">();
  const store = createRunStore(options);
  const register = createFleetRegister(options);
  const notes = createWatchStore(options);

  const watchdog = (inStack: readonly ManifestJob[]): Watchdog => ({
    manifest: { fleet, scheduleGroup: fleet, jobs: Object.fromEntries(inStack.map((job) => [job.job, job])) },
    register,
    notes,
    audit: createRunQueries(options),
    runs: countingStore(store, (job) => counted.push(["lost", job])),
    metrics: {
      missed: (job, occurrences) => counted.push(["missed", job, occurrences]),
      looked: (unwatched) => counted.push(["looked", unwatched]),
    },
    log: logInto(lines, { job: "", runId: "", requestId: "" }),
    nowMs: () => nowMs,
    async deployedSchedule(name) {
      asked.push(name);
      const found = deployed.get(name) ?? { spec: specOf(inStack, name), enabled: true, modifiedMs: 0 };
      return found === "deleted" ? undefined : found;
    },
    async invoke(functionName, event) {
      invoked.push({ functionName, event: event as Record<string, unknown> });
    },
  });

  const operate = async (time: string, protocol: ReturnType<typeof pause | typeof resume>) => {
    nowMs = at(time);
    await perform<unknown>(protocol, store);
  };

  const scene = {
    fleet,
    register,
    notes,
    queries: createRunQueries(options),
    counted,
    lines,
    invoked,
    asked,
    deployed,
    now: (time: string) => {
      nowMs = at(time);
    },
    /** One look, at this time; `more` for what differs from the first deployment. */
    async look(time: string, more: { jobs?: readonly ManifestJob[]; hasTime?: () => boolean } = {}) {
      nowMs = at(time);
      counted.length = 0;
      await lookAtFleet(watchdog(more.jobs ?? jobs), more.hasTime ?? (() => true));
      return counted.filter(([kind]) => kind !== "looked");
    },
    watchdog: () => watchdog(jobs),
    /** A delivery of the occurrence of this time, which begins now. */
    async begin(time: string, differences: Partial<Delivery> = {}) {
      nowMs = at(time);
      const begun = await perform(begin(delivery(time, differences)), store);
      if (begun.kind !== "held") throw new Error(`expected the lock, got ${JSON.stringify(begun)}`);
      return begun.hold;
    },
    pause: (time: string) => operate(time, pause(rates.job, { ...ALICE, id: `pause-${time}` })),
    resume: (time: string) => operate(time, resume(rates.job, { ...ALICE, id: `resume-${time}` })),
    /** A whole run of the occurrence of this time. */
    async run(time: string, outcome: Partial<Outcome> = {}, differences: Partial<Delivery> = {}) {
      const hold = await scene.begin(time, differences);
      await perform(finish(hold, { status: "SUCCEEDED", endedMs: nowMs, ...outcome }), store);
    },
  };
  return scene;
}

export function delivery(time: string, differences: Partial<Delivery>): Delivery {
  const timeMs = at(time);
  return {
    job: rates.job,
    runId: scheduledRunId(timeMs, "default"),
    schedule: "default",
    scheduledTimeMs: timeMs,
    trigger: { kind: "schedule" },
    owner: `owner-${time}`,
    deliveryId: `delivery-${time}`,
    redelivered: true,
    receivedMs: timeMs,
    leaseExpiresAtMs: timeMs + MINUTE,
    overlap: "skip",
    maxAttempts: 3,
    queueLength: 10,
    retentionMs: 90 * DAY,
    requestId: `request-${time}`,
    ...differences,
  };
}

function specOf(jobs: readonly ManifestJob[], scheduleName: string) {
  const specs = jobs.flatMap(({ schedules, scheduleNames }) =>
    Object.entries(schedules).map(([name, spec]) => [scheduleNames[name], spec] as const),
  );
  return new Map(specs).get(scheduleName) as NonNullable<(typeof specs)[number]>[1];
}

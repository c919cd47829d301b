import { isPart, manualRunId, parseRunId, scheduledRunId } from "../run/index.ts";

/** Which run an event asks for, as far as it says so. */
export interface DeadRun {
  readonly job: string;
  /** Absent where the event is a raw payload, or names its run by what is no run id. */
  readonly runId?: string | undefined;
  /** The time that the run works for. */
  readonly workTimeMs?: number | undefined;
  /** The schedule whose occurrence it works for. */
  readonly workSchedule?: string | undefined;
  readonly input?: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads an event that failed for good: our schedules' input, a start, an operator's request, or a `Run Requested` event.
 * Undefined for any other.
 */
export function deadRun(payload: unknown): DeadRun | undefined {
  const { escapement, input, source, detail, id, time } = fieldsOf(payload);
  const { job, schedule, scheduledTime, start, request } = fieldsOf(escapement);
  if (typeof job === "string") {
    const timeMs = timeOf(scheduledTime);
    if (typeof schedule === "string" && timeMs !== undefined) {
      if (!isPart(schedule)) return { job, workTimeMs: timeMs, input };
      return { job, runId: scheduledRunId(timeMs, schedule), workTimeMs: timeMs, workSchedule: schedule, input };
    }
    const { runId, workTime, workSchedule } = fieldsOf(start);
    if (typeof runId === "string") {
      const identity = parseRunId(runId);
      const own = identity?.kind === "scheduled" ? identity : undefined;
      const work = {
        workTimeMs: timeOf(workTime) ?? own?.scheduledTimeMs,
        workSchedule: typeof workSchedule === "string" && isPart(workSchedule) ? workSchedule : own?.schedule,
      };
      return { job, runId: identity && runId, ...work, input };
    }
    const asked = fieldsOf(request);
    return { job, runId: manualId(asked["id"], asked["at"]), input };
  }
  const asked = fieldsOf(detail);
  if (source !== "escapement" || typeof asked["job"] !== "string") return undefined;
  const workTimeMs = timeOf(asked["scheduledTime"]);
  return { job: asked["job"], runId: manualId(id, time), workTimeMs, input: asked["input"] };
}

function manualId(id: unknown, time: unknown): string | undefined {
  return typeof id === "string" && isPart(id) ? manualRunId(id, timeOf(time)) : undefined;
}

function timeOf(value: unknown): number | undefined {
  const ms = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

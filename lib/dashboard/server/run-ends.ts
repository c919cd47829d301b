import type { RunView } from "../../operations/index.ts";

/** How an attempt ended, or a run that ended by none: it was skipped, or cancelled while it waited. */
export interface RunEnd {
  /** The same one whenever the run is read. */
  readonly id: string;
  readonly status: RunView["status"];
  readonly endedAt: string;
  /** Absent where no attempt was made. */
  readonly durationMs?: number | undefined;
  /** How long after its scheduled time a run began: of its first attempt alone. */
  readonly latenessMs?: number | undefined;
}

/** All that have come so far. */
export function endsOf({ runId, status, endedAt, scheduledTime, attempts }: RunView): RunEnd[] {
  const ends: RunEnd[] = attempts.flatMap(({ attempt, startedAt, ...tried }) => {
    if (tried.endedAt === undefined) return [];
    const isFirst = attempt === 1 && scheduledTime !== undefined;
    const latenessMs = isFirst ? Math.max(0, Date.parse(startedAt) - Date.parse(scheduledTime)) : undefined;
    const { status, endedAt, durationMs } = tried;
    return { id: `${runId} ${attempt}`, status, endedAt, durationMs, latenessMs };
  });
  if (endedAt !== undefined && attempts.at(-1)?.status !== status) ends.push({ id: runId, status, endedAt });
  return ends;
}

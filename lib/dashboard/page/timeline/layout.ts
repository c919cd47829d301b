import type { RunView } from "../../../operations/index.ts";
import type { ExpectedOccurrence, JobTimeline } from "../../api.ts";
import type { Viewport } from "./viewport.ts";

/** One run, or several of the same status that would lie on each other. Times are epoch ms, x and width pixels. */
export interface Bar {
  readonly x: number;
  readonly width: number;
  /** 0 is the lowest; another one where runs were at work at the same time. */
  readonly lane: number;
  readonly status: RunView["status"];
  /** One for each attempt that is in sight; a single one where there is but one, or no room for more. */
  readonly pieces: readonly Piece[];
  /** The newest of them. */
  readonly run: RunView;
  readonly count: number;
}

/** A stretch of a bar. */
export interface Piece {
  readonly x: number;
  readonly width: number;
  readonly status: RunView["status"];
}

/** One expected occurrence, or several of the same state that would lie on each other. */
export interface Tooth {
  readonly x: number;
  readonly state: ExpectedOccurrence["state"];
  readonly occurrence: ExpectedOccurrence;
  readonly count: number;
}

export interface JobLayout {
  readonly bars: readonly Bar[];
  readonly teeth: readonly Tooth[];
  /** At least 1. */
  readonly lanes: number;
}

export const NARROWEST_BAR = 5;
const NARROWEST_PIECE = 2;
const TOOTH_WIDTH = 7;
const MOST_LANES = 3;

type Place = (atMs: number) => number;

/** Where everything of one job is drawn. */
export function layoutJob(job: JobTimeline, viewport: Viewport, place: Place, nowMs: number): JobLayout {
  const bars = layoutRuns(job.runs, viewport, place, nowMs);
  return {
    bars,
    teeth: layoutOccurrences(job, viewport, place),
    lanes: 1 + Math.max(0, ...bars.map(({ lane }) => lane)),
  };
}

function layoutRuns(runs: readonly RunView[], viewport: Viewport, place: Place, nowMs: number): Bar[] {
  const laneEnds: number[] = [];
  const bars: Bar[] = [];
  for (const run of [...runs].sort((one, other) => startMs(one) - startMs(other))) {
    const fromMs = startMs(run);
    const toMs = run.endedAt ? Date.parse(run.endedAt) : run.status === "RUNNING" ? nowMs : fromMs;
    if (toMs < viewport.fromMs || fromMs > viewport.toMs) continue;
    const x = place(Math.max(fromMs, viewport.fromMs));
    const width = Math.max(NARROWEST_BAR, place(Math.min(toMs, viewport.toMs)) - x);
    const before = bars.at(-1);
    if (before && liesOn(before, x, width, run)) {
      bars[bars.length - 1] = {
        ...before,
        width: Math.max(before.width, x + width - before.x),
        run,
        count: before.count + 1,
      };
      laneEnds[before.lane] = Math.max(laneEnds[before.lane] ?? 0, x + width);
      continue;
    }
    const lane = freeLane(laneEnds, x);
    laneEnds[lane] = x + width;
    const pieces = width > NARROWEST_BAR && run.attempts.length > 1 ? piecesOf(run, viewport, place, nowMs) : [];
    bars.push({ x, width, lane, status: run.status, pieces, run, count: 1 });
  }
  return bars;
}

function piecesOf({ attempts }: RunView, { fromMs, toMs }: Viewport, place: Place, nowMs: number): Piece[] {
  return attempts.flatMap(({ startedAt, endedAt, status }) => {
    const startMs = Math.max(fromMs, Date.parse(startedAt));
    const endMs = Math.min(toMs, endedAt === undefined ? nowMs : Date.parse(endedAt));
    if (endMs < startMs) return [];
    const x = place(startMs);
    return { x, width: Math.max(NARROWEST_PIECE, place(endMs) - x), status };
  });
}

/** Both are as narrow as can be, of one status and one piece, and the second one begins where the first one is. */
function liesOn(before: Bar, x: number, width: number, { status }: RunView): boolean {
  return (
    before.status === status &&
    before.pieces.length === 0 &&
    width === NARROWEST_BAR &&
    x < before.x + before.width &&
    before.width < 4 * NARROWEST_BAR
  );
}

function freeLane(laneEnds: readonly number[], x: number): number {
  const free = laneEnds.findIndex((end) => end <= x + 0.5);
  if (free !== -1) return free;
  return Math.min(laneEnds.length, MOST_LANES - 1);
}

function layoutOccurrences({ occurrences, runs }: JobTimeline, { fromMs, toMs }: Viewport, place: Place): Tooth[] {
  const inPause = new Set(runs.filter(({ reason }) => reason === "paused").map(({ runId }) => runId));
  const teeth: Tooth[] = [];
  for (const occurrence of occurrences) {
    const atMs = Date.parse(occurrence.scheduledTime);
    if (atMs < fromMs || atMs > toMs) continue;
    const x = place(atMs);
    const state = inPause.has(occurrence.runId) ? "paused" : occurrence.state;
    const before = teeth.at(-1);
    if (before && before.state === state && x - before.x < TOOTH_WIDTH) {
      teeth[teeth.length - 1] = { ...before, count: before.count + 1 };
    } else teeth.push({ x, state, occurrence, count: 1 });
  }
  return teeth;
}

/** A skipped run is drawn where it was due. */
function startMs({ startedAt, scheduledTime, requestedAt, endedAt, attempts }: RunView): number {
  return Date.parse(attempts[0]?.startedAt ?? startedAt ?? scheduledTime ?? requestedAt ?? endedAt ?? "");
}

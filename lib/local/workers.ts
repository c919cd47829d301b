import { readFileSync } from "node:fs";
import { manualRunId, scheduledRunId } from "../run/index.ts";
import type { FunctionDefinition } from "./definitions.ts";

/** A sandbox, as it is seen from outside. Instants are by the runner's clock. */
export interface Worker {
  readonly id: string;
  readonly functionName: string;
  readonly state: WorkerState;
  /** When that state began. */
  readonly sinceMs: number;
  /** When it last printed something or asked for its next invocation. */
  readonly heardMs: number;
  /** Of the invocation under way. */
  readonly requestId?: string;
  /** As its event names it, or else a line that it printed. */
  readonly job?: string;
  readonly runId?: string;
  /** What its process occupies; Linux alone tells. */
  readonly memoryBytes?: number;
}

/** `starting` until its code has loaded, `idle` while it is frozen. */
export type WorkerState = "starting" | "busy" | "idle";

export interface NamedRun {
  readonly job: string;
  readonly runId: string;
}

/** As far as it is one of ours. */
interface Event {
  readonly escapement: {
    readonly job: unknown;
    readonly schedule: string;
    readonly scheduledTime: string;
    readonly start?: { readonly runId: unknown };
    readonly request?: { readonly id: string; readonly at: string };
  };
}

/** The run that an event asks for: a schedule's occurrence, a run that is started, or an operator's request. */
export function runOfEvent(payload: string): NamedRun | undefined {
  try {
    const { job, schedule, scheduledTime, start, request } = (JSON.parse(payload) as Event).escapement;
    const runId =
      start?.runId ??
      (request ? manualRunId(request.id, Date.parse(request.at)) : scheduledRunId(Date.parse(scheduledTime), schedule));
    return typeof job === "string" && typeof runId === "string" ? { job, runId } : undefined;
  } catch {
    // Any program may send any event.
    return undefined;
  }
}

/** The run that a line of structured log names, of one of the function's own jobs: the watchdog's names those of others. */
export function runOfLine(line: string, { jobs }: FunctionDefinition): NamedRun | undefined {
  if (!line.startsWith("{") || !line.includes('"runId"')) return undefined;
  try {
    const { job, runId } = JSON.parse(line) as Record<string, unknown>;
    const own = jobs.find(({ name }) => name === job);
    return own && typeof runId === "string" ? { job: own.name, runId } : undefined;
  } catch {
    return undefined;
  }
}

/** The memory that a process occupies; undefined where the system does not tell, or the process has ended. */
export function memoryOf(pid: number | undefined): number | undefined {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}

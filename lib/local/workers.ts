import { readFileSync } from "node:fs";

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
  /** As far as the lines that it printed say it. */
  readonly job?: string;
  readonly runId?: string;
  /** What its process occupies; Linux alone tells. */
  readonly memoryBytes?: number;
}

/** `starting` until its code has loaded, `idle` while it is frozen. */
export type WorkerState = "starting" | "busy" | "idle";

/** The job and run that a line of structured log names. */
export function runOfLine(line: string): { job: string; runId: string } | undefined {
  if (!line.startsWith("{") || !line.includes('"runId"')) return undefined;
  try {
    const { job, runId } = JSON.parse(line) as Record<string, unknown>;
    return typeof job === "string" && typeof runId === "string" ? { job, runId } : undefined;
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

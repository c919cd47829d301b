import { type Backend, findJob } from "./backend.ts";
import { wholeNumber } from "./numbers.ts";
import { readRun } from "./runs.ts";

/** A line that a job's function printed. */
export interface LogLine {
  readonly stream: string;
  /** When it was printed, where the log says so apart from the line. */
  readonly at?: string | undefined;
  readonly text: string;
}

export interface LogRequest {
  readonly functionName: string;
  /** A line has one of these in it; without any, every line is told. */
  readonly containsAny: readonly string[];
  readonly sinceMs?: number | undefined;
  readonly limit: number;
}

/** Where functions' logs are. */
export interface LogSource {
  /** The newest lines that are asked for, oldest first. */
  read(request: LogRequest): Promise<LogLine[]>;
}

export interface LogsQuery {
  /** Only of this run: every line that names it, or a request of its attempts. */
  readonly runId?: string | undefined;
  /** 1–1,000; default 100. */
  readonly limit?: number | undefined;
}

const DEFAULT_LIMIT = 100;
const DAY_MS = 24 * 60 * 60_000;

/** The newest log lines of a job, of the last day; or of one of its runs, since that was due. */
export async function readLogs(backend: Backend, name: string, query: LogsQuery = {}): Promise<LogLine[]> {
  const limit = wholeNumber("limit", query.limit ?? DEFAULT_LIMIT);
  const job = await findJob(backend, name);
  const { functionName } = job;
  if (query.runId === undefined) {
    return backend.logs.read({ functionName, containsAny: [], sinceMs: backend.nowMs() - DAY_MS, limit });
  }
  const { runId, startedAt, requestId, attempts } = await readRun(backend, name, query.runId);
  const sinceMs = startedAt === undefined ? undefined : Date.parse(startedAt) - DAY_MS;
  const requestIds = new Set([requestId, ...attempts.map((attempt) => attempt.requestId)]);
  // Lambda's own lines, such as the one with an error's stack, say the request alone.
  return backend.logs.read({ functionName, containsAny: [JSON.stringify(runId), ...requestIds], sinceMs, limit });
}

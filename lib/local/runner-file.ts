import { join } from "node:path";
import { readJson, writeJson } from "./json-file.ts";

/** A schedule of a job. */
export interface ScheduleName {
  readonly job: string;
  readonly schedule: string;
}

/** How a runner is found, and called, by other processes of its user. */
export interface RunnerInfo {
  readonly pid: number;
  readonly startedAt: string;
  /** Serves Lambda's Invoke API, for requests signed with `accessKeyId`. */
  readonly url: string;
  readonly accessKeyId: string;
  /** Signs in to the dashboard there. */
  readonly token: string;
  readonly dynamoEndpoint: string;
  /** Of the first job in the cloud assembly; absent where it has none. */
  readonly tableName?: string;
  readonly fleet?: string;
  readonly assemblyDir: string;
  /** Those that the template disables; absent where it disables none. */
  readonly disabledSchedules?: readonly ScheduleName[];
}

const path = (stateDir: string) => join(stateDir, "runner.json");

/** Only its user can read it: it holds the key. */
export function writeRunnerFile(stateDir: string, info: RunnerInfo): void {
  writeJson(path(stateDir), info, 0o600);
}

/** What the last runner on this folder wrote, whether it still runs or not; undefined where that cannot be read. */
export function readRunnerFile(stateDir: string): RunnerInfo | undefined {
  try {
    const info = (readJson(path(stateDir)) ?? {}) as RunnerInfo;
    return typeof info.url === "string" ? info : undefined;
  } catch {
    return undefined;
  }
}

/** The path at which a runner says who it is. */
export const identityPath = "/escapement/runner";

/** The runner that is at work on this folder: one that answers at the place that the file names, as who the file says. */
export async function findRunner(stateDir: string): Promise<FoundRunner | undefined> {
  const info = readRunnerFile(stateDir);
  if (!info) return undefined;
  const found = await askRunner(info.url);
  return found?.pid === info.pid && found.startedAt === info.startedAt ? { ...info, nowMs: found.nowMs } : undefined;
}

/** A runner that has just answered. */
export interface FoundRunner extends RunnerInfo {
  /** What time it had then. */
  readonly nowMs: number;
}

type Answer = Pick<FoundRunner, "pid" | "startedAt" | "nowMs">;

/** Who the runner is that answers at this URL; undefined where none does. */
export async function askRunner(url: string): Promise<Answer | undefined> {
  try {
    const answer = await fetch(`${url}${identityPath}`, { signal: AbortSignal.timeout(2_000) });
    return answer.ok ? ((await answer.json()) as Answer) : undefined;
  } catch {
    return undefined;
  }
}

import { rmSync } from "node:fs";
import { join } from "node:path";
import { readJson, writeJson } from "./json-file.ts";

/** How a runner is found, and called, by other processes of its user. */
export interface RunnerInfo {
  readonly pid: number;
  readonly startedAt: string;
  /** Serves Lambda's Invoke API, for requests signed with `accessKeyId`. */
  readonly url: string;
  readonly accessKeyId: string;
  readonly dynamoEndpoint: string;
  /** Of the first job in the cloud assembly; absent where it has none. */
  readonly tableName?: string;
  readonly fleet?: string;
  readonly assemblyDir: string;
}

const path = (stateDir: string) => join(stateDir, "runner.json");

/** Only its user can read it: it holds the key. */
export function writeRunnerFile(stateDir: string, info: RunnerInfo): void {
  writeJson(path(stateDir), info, 0o600);
}

export function removeRunnerFile(stateDir: string): void {
  rmSync(path(stateDir), { force: true });
}

/** The path at which a runner says who it is. */
export const identityPath = "/escapement/runner";

/** The runner that is at work on this folder. A file that a dead one left, or that cannot be read, counts for nothing. */
export async function findRunner(stateDir: string): Promise<RunnerInfo | undefined> {
  try {
    const info = readJson(path(stateDir)) as RunnerInfo | undefined;
    if (!info) return undefined;
    const answer = await fetch(`${info.url}${identityPath}`, { signal: AbortSignal.timeout(2_000) });
    const { pid, startedAt } = (await answer.json()) as { pid: number; startedAt: string };
    return pid === info.pid && startedAt === info.startedAt ? info : undefined;
  } catch {
    return undefined;
  }
}

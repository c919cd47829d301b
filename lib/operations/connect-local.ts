import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { happenedUntilMs } from "../local/clock-note.ts";
import { findRunner, type RunnerInfo, readRunnerFile } from "../local/runner-file.ts";
import {
  createDynamoClient,
  createFleetRegister,
  createRunQueries,
  createRunStore,
  StoreError,
} from "../store/index.ts";
import type { Backend } from "./backend.ts";
import { OperationError } from "./errors.ts";
import { withErrors } from "./explained.ts";
import { localDeadLetters } from "./local-dead-letters.ts";
import { localLogs } from "./local-logs.ts";
import { createOperations } from "./operations.ts";
import type { LocalTarget, Operations } from "./types.ts";

export interface LocalOptions {
  /** The local runner's folder. @default ".escapement" */
  readonly stateDir?: string | undefined;
  /** The runner's clock, for its own process. @default as far ahead of the machine's as the runner's was when it connected */
  readonly nowMs?: (() => number) | undefined;
}

const REGION = "local";

// What only some commands need is loaded by those alone: a Lambda client, an embedded DynamoDB.

/**
 * Connects to the local runner; with none running opens its folder, where everything can be read and nothing triggered.
 * Close it when done: until then the folder is open, and the process does not end.
 *
 * @throws OperationError `NO_STATE` where no runner has run yet
 * @example const operations = await connectLocal({ stateDir: ".escapement" });
 */
export async function connectLocal({ stateDir = ".escapement", nowMs }: LocalOptions = {}): Promise<Operations> {
  return createOperations((await runningBackend(stateDir, nowMs)) ?? (await folderBackend(stateDir)));
}

async function runningBackend(stateDir: string, nowMs?: () => number): Promise<Backend | undefined> {
  const runner = await findRunner(stateDir);
  if (!runner) return undefined;
  const { url, accessKeyId, dynamoEndpoint, fleet, tableName } = runner;
  const aheadMs = runner.nowMs - Date.now();
  if (fleet === undefined || tableName === undefined) throw noJobs(stateDir);

  const target: LocalTarget = { kind: "local", fleet, stateDir, running: true, url };
  const backend = tableBackend({
    target,
    endpoint: dynamoEndpoint,
    tableName,
    nowMs: nowMs ?? (() => Date.now() + aheadMs),
    close: () => {},
  });
  const explain = (error: unknown) => runnerError(error, stateDir, runner);
  const calls = {
    async invoke(functionName: string, payload: object) {
      const { invoke } = await import("./invoke.ts");
      const credentials = { accessKeyId, secretAccessKey: "local" };
      await invoke({ endpoint: url, region: REGION, credentials }, functionName, payload);
    },
  };
  return {
    ...backend,
    ...withErrors(calls, explain),
    fleet: withErrors(backend.fleet, explain),
    records: withErrors(backend.records, explain),
    store: withErrors(backend.store, explain),
  };
}

/** Of a runner that has ended since it was found, more is said than that nobody answers. */
async function runnerError(error: unknown, stateDir: string, { startedAt }: RunnerInfo): Promise<unknown> {
  const isUnanswered =
    (error instanceof StoreError && error.code === "STORE_UNREACHABLE") ||
    (error instanceof OperationError && error.code === "AWS_FAILED");
  if (!isUnanswered || (await findRunner(stateDir))?.startedAt === startedAt) return error;
  const message = `the runner in ${stateDir} has ended meanwhile, so that it is not known whether this was done. What it had taken on is kept, and comes again at its next start: npm start. Look then what stands, and ask again for what is missing.`;
  return new OperationError("NOT_RUNNING", message, { cause: error });
}

/** Without a runner the tables are still there, and what the last one ran says which is the fleet's. */
async function folderBackend(stateDir: string): Promise<Backend> {
  const tablesDir = join(stateDir, "dynamodb");
  const runner = readRunnerFile(stateDir);
  if (!runner && existsSync(join(stateDir, "runner.json"))) {
    const message = `${join(stateDir, "runner.json")} cannot be read, which says what to read there; a runner writes it anew: npm start`;
    throw new OperationError("NO_STATE", message);
  }
  if (!runner || !existsSync(tablesDir)) {
    throw new OperationError("NO_STATE", `no runner has left its state in ${stateDir} yet; start one with: npm start`);
  }
  const { fleet, tableName } = runner;
  if (fleet === undefined || tableName === undefined) throw noJobs(stateDir);
  // Its runner's clock may have been ahead of the machine's (--now).
  const happenedMs = happenedUntilMs(stateDir);
  const nowMs = () => Math.max(Date.now(), happenedMs);
  const { openEmbeddedDynamo } = await import("../local/embedded-table.ts");
  const { endpoint, close } = await openEmbeddedDynamo({ dir: tablesDir, clock: nowMs });
  const target: LocalTarget = { kind: "local", fleet, stateDir, running: false };
  return tableBackend({ target, endpoint, tableName, nowMs, close });
}

interface TableOptions {
  readonly target: LocalTarget;
  readonly endpoint: string;
  readonly tableName: string;
  readonly nowMs: () => number;
  readonly close: () => unknown;
}

function tableBackend({ target, endpoint, tableName, nowMs, close }: TableOptions): Backend {
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const client = createDynamoClient({ endpoint, region: REGION, credentials });
  const table = { client, tableName, fleet: target.fleet, clock: nowMs };
  return {
    target,
    fleet: createFleetRegister(table),
    records: createRunQueries(table),
    store: createRunStore(table),
    deadLetters: localDeadLetters(target.stateDir),
    logs: localLogs(target.stateDir),
    logOf: ({ functionName, stream }) => join(target.stateDir, "logs", functionName, `${stream}.log`),
    // Read anew each time: a reload of the runner can change it.
    isDisabled: (job, schedule) =>
      readRunnerFile(target.stateDir)?.disabledSchedules?.some((one) => one.job === job && one.schedule === schedule) ??
      false,
    checks: async () => [],
    whoAmI: async () => userInfo().username,
    nowMs,
    sleep: (ms) => sleep(ms),
    async close() {
      client.destroy();
      await close();
    },
  };
}

function noJobs(stateDir: string): OperationError {
  return new OperationError(
    "NO_STATE",
    `what runs in ${stateDir} has no jobs: put one into functions/ and start again`,
  );
}

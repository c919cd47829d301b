import { Logger } from "@aws-lambda-powertools/logger";
import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { SchedulerClient } from "@aws-sdk/client-scheduler";
import type { Context } from "aws-lambda";
import { readDeployedSchedule } from "../../store/deployed-schedule.ts";
import {
  createDynamoClient,
  createFleetRegister,
  createRunQueries,
  createRunStore,
  createWatchStore,
} from "../../store/index.ts";
import { countingStore } from "../counting-store.ts";
import { readEnvironment } from "../environment.ts";
import { createMetrics, createWatchMetrics } from "../metrics.ts";
import { lookAtFleet } from "./look-at-fleet.ts";
import type { Watchdog } from "./watchdog.ts";

/** A job that is begun with less time than this could be cut short. */
const TIME_FOR_A_JOB_MS = 30_000;

let watchdog: Watchdog | undefined;

/** The Lambda handler of the stack's watchdog, which its own schedule invokes every five minutes. */
export async function handler(_event: unknown, context: Context): Promise<void> {
  watchdog ??= createWatchdog();
  await lookAtFleet(watchdog, () => context.getRemainingTimeInMillis() > TIME_FOR_A_JOB_MS);
}

function createWatchdog(): Watchdog {
  const manifest = ESCAPEMENT_MANIFEST;
  const { fleet, scheduleGroup } = manifest;
  const table = { client: createDynamoClient(), tableName: readEnvironment("table"), fleet };
  const lambda = new LambdaClient();
  const scheduler = new SchedulerClient();
  return {
    manifest,
    register: createFleetRegister(table),
    notes: createWatchStore(table),
    runs: countingStore(createRunStore(table), (job) => createMetrics(fleet, job).lost()),
    audit: createRunQueries(table),
    metrics: createWatchMetrics(fleet),
    log: new Logger({ serviceName: fleet }),
    nowMs: () => Date.now(),
    deployedSchedule: (name) => readDeployedSchedule(scheduler, scheduleGroup, name),
    async invoke(FunctionName, event) {
      await lambda.send(new InvokeCommand({ FunctionName, InvocationType: "Event", Payload: JSON.stringify(event) }));
    },
  };
}

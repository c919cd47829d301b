import type { Pause } from "../run/index.ts";
import {
  createDynamoClient,
  createFleetRegister,
  createRunQueries,
  createWatchStore,
  fleetJobOf,
  type TableOptions,
} from "../store/index.ts";
import type { FunctionDefinition } from "./definitions.ts";
import { LOCAL_REGION } from "./place.ts";

/** The fleet that a function's environment names, and its table. */
export interface FleetPlace {
  readonly fleet: string;
  readonly tableName: string;
}

/** The fleet of the first job; an assembly has one, unless its app has several stacks. */
export function fleetPlace(functions: readonly FunctionDefinition[]): FleetPlace | undefined {
  for (const { environment } of functions) {
    const { ESCAPEMENT_FLEET: fleet, ESCAPEMENT_TABLE: tableName } = environment;
    if (fleet && tableName) return { fleet, tableName };
  }
  return undefined;
}

/**
 * Writes the fleet's jobs into its table, as the deployed stack's own list, and marks those that have gone.
 *
 * @param nowMs counts as first seen for a new job
 */
export function writeFleetList(
  place: FleetPlace,
  functions: readonly FunctionDefinition[],
  options: { endpoint: string; nowMs: number },
): Promise<void> {
  return withTable(place, options.endpoint, async (table) => {
    const register = createFleetRegister(table);
    const here = new Set<string>();
    const own = functions.filter(({ environment }) => environment["ESCAPEMENT_FLEET"] === place.fleet);
    for (const { name: functionName, jobs } of own) {
      for (const job of jobs) {
        here.add(job.name);
        await register.putFleetJob(fleetJobOf(job, functionName), options.nowMs);
      }
    }
    for (const { job, removedMs } of (await register.readFleet()).jobs) {
      if (!here.has(job) && removedMs === undefined) await register.removeFleetJob(job, options.nowMs);
    }
  });
}

/**
 * Notes that nothing was delivered until now. The runner itself says what fell due meanwhile; the watchdog catches it up,
 * and does not count it as missed.
 */
export function noteAway(place: FleetPlace, options: { endpoint: string; nowMs: number }): Promise<void> {
  return withTable(place, options.endpoint, (table) => createWatchStore(table).noteAway(options.nowMs));
}

/** The job's newest pause, also one that has run out. */
export function readPause(place: FleetPlace, job: string, endpoint: string): Promise<Pause | undefined> {
  return withTable(place, endpoint, async (table) => {
    const { state } = await createRunQueries(table).readJob(job, { limit: 1 });
    return state?.paused;
  });
}

async function withTable<T>(
  { tableName, fleet }: FleetPlace,
  endpoint: string,
  use: (table: TableOptions) => Promise<T>,
): Promise<T> {
  const client = createDynamoClient({
    endpoint,
    region: LOCAL_REGION,
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  try {
    return await use({ client, tableName, fleet });
  } finally {
    client.destroy();
  }
}

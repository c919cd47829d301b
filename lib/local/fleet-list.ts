import { createDynamoClient, createFleetRegister, createWatchStore, fleetJobOf } from "../store/index.ts";
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
export async function writeFleetList(
  place: FleetPlace,
  functions: readonly FunctionDefinition[],
  options: { endpoint: string; nowMs: number },
): Promise<void> {
  const client = createDynamoClient({
    endpoint: options.endpoint,
    region: LOCAL_REGION,
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  const table = { client, tableName: place.tableName, fleet: place.fleet };
  const register = createFleetRegister(table);
  try {
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
    // The runner itself says what fell due while it was off; the watchdog catches it up, and does not count it as missed.
    await createWatchStore(table).noteAway(options.nowMs);
  } finally {
    client.destroy();
  }
}

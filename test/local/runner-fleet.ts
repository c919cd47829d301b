import { onTestFinished } from "vitest";
import { findRunner, type RunnerInfo } from "../../lib/local/index.ts";
import { createDynamoClient, createRunQueries } from "../../lib/store/index.ts";
import { aStack } from "../infra/fleet.ts";

/** The folder of the cloud assembly of a stack with these jobs, as the runner takes it. */
export function assemblyOf(...jobs: Parameters<typeof aStack>[0]): string {
  const assembly = aStack(jobs).node.root as unknown as { synth(): { directory: string } };
  return assembly.synth().directory;
}

/**
 * What the table of the runner in this folder holds of the fleet; ends with the test.
 *
 * @param clock the runner's, by which a lease is dead or not
 */
export async function fleetQueries(stateDir: string, clock: { nowMs(): number } = { nowMs: Date.now }) {
  const { dynamoEndpoint: endpoint, tableName } = (await findRunner(stateDir)) as RunnerInfo;
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const client = createDynamoClient({ endpoint, region: "local", credentials });
  onTestFinished(() => client.destroy());
  const table = { client, tableName: String(tableName), fleet: "Escapement-dev", clock: () => clock.nowMs() };
  return createRunQueries(table);
}

import { randomBytes } from "node:crypto";
import type { Clock } from "./clock.ts";
import type { Closers } from "./closers.ts";
import type { EmbeddedDynamo } from "./embedded-table.ts";
import type { Tell } from "./events.ts";
import type { Faults } from "./faults.ts";
import { Keeper } from "./keeper.ts";
import { openRunnerTables } from "./runner-tables.ts";
import type { RunnerOptions } from "./runner-types.ts";
import { openServer, type RunnerServer } from "./server.ts";
import { takeStateFolder } from "./state-folder.ts";

/** What a runner stands on, whatever it runs. */
export interface Ground {
  readonly stateDir: string;
  readonly identity: { readonly pid: number; readonly startedAt: string };
  /** Whose requests the runner's APIs serve. */
  readonly accessKeyId: string;
  /** Signs in to the dashboard. */
  readonly token: string;
  readonly server: RunnerServer;
  readonly keeper: Keeper;
  readonly dynamo: EmbeddedDynamo;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly tell: Tell;
}

export type GroundParts = Pick<Ground, "stateDir" | "clock" | "faults" | "tell">;

/** Takes the folder, and opens the server and the tables. @throws RunnerError where one of them cannot be had */
export async function openGround(
  { fresh = false, port = 0, dynamoPort = 0 }: RunnerOptions,
  parts: GroundParts,
  closers: Closers,
): Promise<Ground> {
  const { stateDir, clock } = parts;
  const identity = { pid: process.pid, startedAt: new Date().toISOString() };
  const accessKeyId = `LOCAL${randomBytes(12).toString("hex").toUpperCase()}`;
  const token = randomBytes(32).toString("base64url");

  closers.add(await takeStateFolder(stateDir, fresh));
  const server = await openServer(port, identity, () => clock.nowMs());
  closers.add(() => server.close());
  const keeper = new Keeper();
  closers.add(() => keeper.close());
  const dynamo = await openRunnerTables({ ...parts, port: dynamoPort, accessKeyId });
  closers.add(() => dynamo.close());
  return { ...parts, identity, accessKeyId, token, server, keeper, dynamo };
}

import { disabledSchedules } from "./assembly-schedules.ts";
import type { Assembly } from "./definitions.ts";
import { fleetPlace, noteAway, writeFleetList } from "./fleet-list.ts";
import { writeRunnerFile } from "./runner-file.ts";
import type { Ground } from "./runner-ground.ts";

/** How others learn of what runs here: from the runner's file, and from the fleet's own items in its table. */
export class Announcements {
  readonly #ground: Ground;

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  writeFile({ functions, schedules, dir: assemblyDir }: Assembly): void {
    const { stateDir, identity, server, accessKeyId, token, dynamo } = this.#ground;
    const ways = { url: server.url, accessKeyId, token, dynamoEndpoint: dynamo.endpoint };
    const off = { disabledSchedules: disabledSchedules(schedules) };
    writeRunnerFile(stateDir, { ...identity, ...ways, ...fleetPlace(functions), ...off, assemblyDir });
  }

  /** @param nowMs counts as first seen for a new job */
  async writeFleet({ functions }: Assembly, nowMs: number): Promise<void> {
    const place = fleetPlace(functions);
    if (place) await writeFleetList(place, functions, { endpoint: this.#ground.dynamo.endpoint, nowMs });
  }

  /** Nothing was delivered until now, which the watchdog then does not count as missed. */
  async noteAway({ functions }: Assembly, nowMs: number): Promise<void> {
    const place = fleetPlace(functions);
    if (place) await noteAway(place, { endpoint: this.#ground.dynamo.endpoint, nowMs });
  }
}

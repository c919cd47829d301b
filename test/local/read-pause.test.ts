import { expect, onTestFinished, test } from "vitest";
import { readPause } from "../../lib/local/fleet-list.ts";
import { FLEET, openFleet, TABLE } from "../operations/fleet.ts";

test("the runner reads a job's pause in its table, and none of a job that has none", async () => {
  const fleet = await openFleet();
  onTestFinished(() => fleet.close());
  await fleet.pause("ada");
  const place = { fleet: FLEET, tableName: TABLE };

  expect(await readPause(place, "nightly", fleet.endpoint)).toMatchObject({ by: "ada", reason: "source down" });
  expect(await readPause(place, "weekly", fleet.endpoint)).toBeUndefined();
});

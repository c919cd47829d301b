import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connectLocal } from "../../lib/operations/index.ts";
import { writeAssembly } from "../local/assembly-fixture.ts";
import { tempFolder } from "../local/temp-folder.ts";
import { FLEET, nightly, openFleet, TABLE } from "./fleet.ts";

test("with no runner running the folder can be read, and nothing triggered", async () => {
  const stateDir = tempFolder();
  const fleet = await openFleet(stateDir);
  await fleet.register.putFleetJob(nightly, Date.UTC(2026, 4, 1));
  await fleet.stop();
  const environment = { ESCAPEMENT_JOB: "nightly", ESCAPEMENT_FLEET: FLEET, ESCAPEMENT_TABLE: TABLE };
  const assembly = writeAssembly({ "shop-dev-nightly": { source: "", environment } });
  cpSync(assembly, join(stateDir, "cdk.out"), { recursive: true });

  const operations = await connectLocal({ stateDir });
  try {
    expect(operations.target).toEqual({ kind: "local", fleet: FLEET, stateDir, running: false });
    expect((await operations.list()).map(({ job }) => job)).toEqual(["nightly"]);
    await expect(operations.trigger("nightly", { by: "ada" })).rejects.toMatchObject({ code: "NOT_RUNNING" });
  } finally {
    await operations.close();
  }
});

test("where no runner has run yet, that is said, with what to do", async () => {
  await expect(connectLocal({ stateDir: tempFolder() })).rejects.toMatchObject({
    code: "NO_STATE",
    message: expect.stringContaining("npm start"),
  });
});

import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { loadJobs } from "../../lib/infra/index.ts";
import { startRunner } from "../../lib/local/index.ts";
import { parseSchedule } from "../../lib/schedule/index.ts";
import { escapement } from "../cli/escapement.ts";
import { writeAssembly } from "../local/assembly-fixture.ts";
import { tempFolder } from "../local/temp-folder.ts";
import { createProject } from "./project.ts";

const bad = [
  "cron(*/5 * * * *)",
  "cron(0 12 ? * 8 *)",
  "cron(0 12 * * * *)",
  "rate(1.5 hours)",
  "at(2026-02-30T12:00:00)",
];

// As in a process that was started with it, such as the app of cdk.json.
beforeAll(() => vi.stubEnv("NODE_OPTIONS", "--conditions=escapement-source"));
afterAll(() => vi.unstubAllEnvs());

async function messageOf(refused: Promise<unknown>): Promise<string> {
  const reason: unknown = await refused.then(
    () => "it was taken",
    (error) => error,
  );
  return reason instanceof Error ? reason.message : String(reason);
}

test.each(bad)(
  "LD-06: synthesis, the command next and the runner refuse %s in the engine's words",
  async (expression) => {
    const words = await messageOf((async () => parseSchedule({ expression, timeZone: "UTC" }))());
    expect(words).toContain(expression);

    const schedule = JSON.stringify({ expression, timeZone: "UTC" });
    const { functions, remove } = createProject({
      "bad.ts": `import { scheduled } from "escapement";\nexport const handler = scheduled({ schedule: ${schedule} }, async () => {});`,
    });
    expect(await messageOf(loadJobs(functions))).toContain(words);
    remove();

    const { code, stderr } = await escapement(["next", expression]);
    expect(code).toBe(2);
    expect(stderr).toContain(words);

    const assemblyDir = writeAssembly({
      fn: { source: "export const handler = async () => {};", schedule: expression },
    });
    expect(await messageOf(startRunner({ stateDir: tempFolder(), assemblyDir }))).toContain(words);
  },
);

import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { loadJobs } from "../../lib/infra/index.ts";
import { startRunner } from "../../lib/local/index.ts";
import type { Upcoming } from "../../lib/operations/index.ts";
import { nextOf } from "../cli/next-of.ts";
import { openDashboard } from "../dashboard/server/dashboard.ts";
import { schedule, writeAssembly } from "../local/assembly-fixture.ts";
import { tempFolder } from "../local/temp-folder.ts";
import { nightly } from "../operations/fleet.ts";
import { refusal } from "../schedule/helpers.ts";
import { accepted, type Expression, refused } from "./expressions.ts";
import { createProject } from "./project.ts";

const FROM = "2026-03-28T00:00:00Z";

// As in a process that was started with it, such as the app of cdk.json.
beforeAll(() => vi.stubEnv("NODE_OPTIONS", "--conditions=escapement-source"));
afterAll(() => vi.unstubAllEnvs());

describe("LD-06: refused in the engine's words", () => {
  let problems: readonly string[];
  let dashboard: Awaited<ReturnType<typeof openDashboard>>;
  beforeAll(async () => {
    problems = (await messageOf(synthesized(refused))).split("\n\n");
    dashboard = await openDashboard();
    await listJobs(dashboard, refused);
  });
  afterAll(() => dashboard.close());

  test("by synthesis, each of them", () => expect(problems.length).toBe(refused.length));

  test.each(refused.map((one, index) => ({ ...one, index })))(
    "by synthesis, the command next, the runner and the dashboard: $expression in $timeZone",
    async ({ index, ...spec }) => {
      const words = refusal(spec).message;
      expect(problems[index]).toContain(words);
      expect(await nextOf(spec, FROM, 3)).toEqual({
        code: 2,
        stdout: "",
        stderr: `error: ${words.replaceAll("\n", "\n  ")}\n`,
      });
      expect(await messageOf(running([spec]))).toContain(words);
      if (spec.timeZone === "") return;
      const answer = await dashboard.get(`/api/jobs/${jobName(index)}/next`);
      expect(await answer.text()).toContain(JSON.stringify(words));
    },
  );
});

describe("LD-06: accepted, with the same words and the same times", () => {
  test("by synthesis, the command next, the runner and the dashboard", async () => {
    const dashboard = await openDashboard();
    onTestFinished(() => dashboard.close());
    await listJobs(dashboard, accepted);
    const jobs = await synthesized(accepted);
    const runner = await running(accepted);
    onTestFinished(() => runner.abort());

    for (const [index, { emitted, ...spec }] of accepted.entries()) {
      const { code, stdout } = await nextOf(spec, FROM, 3);
      expect([spec, code]).toEqual([spec, 0]);
      const printed: Upcoming = JSON.parse(stdout);
      const name = jobName(index);
      expect(runner.jobs[0]?.schedules.find((one) => one.name === name)).toMatchObject({
        spec,
        description: printed.description,
      });
      const shown = (await (await dashboard.get(`/api/jobs/${name}/next?from=${FROM}&count=3`)).json()) as Upcoming;
      expect(shown.description).toBe(printed.description);
      expect(timesOf(shown)).toEqual(timesOf(printed));
      expect(jobs[index]?.schedules["default"]).toEqual(emitted ?? spec);
    }
  });
});

const jobName = (index: number) => `e${String(index).padStart(3, "0")}`;
const timesOf = ({ occurrences }: Upcoming) => occurrences.map(({ at, local }) => [at, local]);

async function messageOf(refusing: Promise<unknown>): Promise<string> {
  const reason: unknown = await refusing.then(
    () => "it was taken",
    (error) => error,
  );
  return reason instanceof Error ? reason.message : String(reason);
}

function synthesized(expressions: readonly Expression[]) {
  const files = expressions.map(({ expression, timeZone }, index) => {
    const schedule = JSON.stringify({ expression, timeZone });
    return [
      `${jobName(index)}.ts`,
      `import { scheduled } from "escapement";\nexport const handler = scheduled({ schedule: ${schedule} }, async () => {});`,
    ];
  });
  const { functions, remove } = createProject(Object.fromEntries(files));
  return loadJobs(functions).finally(remove);
}

/** A runner with one job, whose schedules fire nothing. */
function running(expressions: readonly Expression[]) {
  const schedules = expressions.map(({ expression, timeZone }, index) => {
    const Name = jobName(index);
    const Target = {
      Arn: { "Fn::GetAtt": ["fn", "Arn"] },
      Input: JSON.stringify({ escapement: { job: "fn", schedule: Name } }),
    };
    const properties = { Name, ScheduleExpression: expression, ScheduleExpressionTimezone: timeZone, Target };
    return [Name, schedule({ ...properties, State: "DISABLED" })];
  });
  const fn = { source: "export const handler = async () => {};" };
  return startRunner({ stateDir: tempFolder(), assemblyDir: writeAssembly({ fn }, Object.fromEntries(schedules)) });
}

/** The jobs in the list that the dashboard reads, which takes no empty zone; first seen when the command counts from. */
async function listJobs({ fleet }: Awaited<ReturnType<typeof openDashboard>>, expressions: readonly Expression[]) {
  for (const [index, { expression, timeZone }] of expressions.entries()) {
    if (timeZone === "") continue;
    await fleet.register.putFleetJob(
      { ...nightly, job: jobName(index), schedules: { default: { expression, timeZone } } },
      Date.parse(FROM),
    );
  }
}

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { loadJobs } from "../../lib/infra/index.ts";
import { createProject } from "./project.ts";

type Project = ReturnType<typeof createProject>;
const projects: Project[] = [];

function project(files: Readonly<Record<string, string>>): Project {
  const created = createProject(files);
  projects.push(created);
  return created;
}

async function problemsOf(directory: string, timeLimitMs?: number): Promise<string[]> {
  const loading = loadJobs(directory, timeLimitMs === undefined ? {} : { timeLimitMs });
  const error: unknown = await loading.then(
    () => undefined,
    (reason) => reason,
  );
  expect(error).toMatchObject({ name: "SynthError", code: "SYNTH_FAILED" });
  return (error as Error).message.replaceAll(`${directory}/`, "functions/").split("\n\n");
}

// As in a process that was started with it, such as the app of cdk.json.
beforeAll(() => vi.stubEnv("NODE_OPTIONS", "--conditions=escapement-source"));
afterAll(() => {
  vi.unstubAllEnvs();
  for (const { remove } of projects) remove();
});

const header = 'import { at, cron, defineJob, rate, scheduled, scheduledRun } from "escapement";\n';

describe("loadJobs", () => {
  test("reads each file's job, with its defaults, as plain data", async () => {
    const { functions } = project({
      "nightly-report.ts": `${header}
        export const handler = scheduled({
          schedule: cron("0 2 * * ? *", { timeZone: "Europe/Berlin" }),
          description: "Sends the report", timeout: "5 minutes", redact: (value) => value,
        }, async () => {});`,
      "composed.ts": `${header}
        import middy from "${import.meta.resolve("@middy/core")}";
        export const job = defineJob({ schedule: { often: rate("5 minutes"), once: at("2030-02-01T15:00:00") }, retries: 0 });
        export const handler = middy(async () => {}).use(scheduledRun(job));`,
      "types.d.ts": "export {};",
    });
    const jobs = await loadJobs(functions);
    expect(jobs).toEqual([
      {
        file: `${functions}/composed.ts`,
        name: "composed",
        schedules: {
          often: { expression: "rate(5 minutes)", timeZone: "UTC" },
          once: { expression: "at(2030-02-01T15:00:00)", timeZone: "UTC" },
        },
        timeoutMs: 60_000,
        overlap: "skip",
        maxLatenessMs: { often: 300_000, once: 3_600_000 },
        retries: 0,
        retentionMs: 7_776_000_000,
        deadlineMarginMs: 1000,
        store: { input: false, result: false },
        enabled: true,
      },
      {
        file: `${functions}/nightly-report.ts`,
        name: "nightly-report",
        description: "Sends the report",
        schedules: { default: { expression: "cron(0 2 * * ? *)", timeZone: "Europe/Berlin" } },
        timeoutMs: 300_000,
        overlap: "skip",
        maxLatenessMs: { default: 3_600_000 },
        retries: 2,
        retentionMs: 7_776_000_000,
        deadlineMarginMs: 1000,
        store: { input: false, result: false },
        enabled: true,
      },
    ]);
    expect(JSON.parse(JSON.stringify(jobs))).toEqual(jobs);
  });

  test("names every file that is wrong, what is wrong with it, and what to do", async () => {
    const { functions } = project({
      "bad-expression.ts": `${header}export const handler = scheduled({ schedule: cron("0 12 * * ?") }, async () => {});`,
      "bad-option.ts": `${header}export const handler = scheduled({ schedule: rate("1 hour"), overlapp: "skip" }, async () => {});`,
      "bad-zone.ts": `${header}export const handler = scheduled({ schedule: cron("0 2 * * ? *", { timeZone: "Europe/Berln" }) }, async () => {});`,
      "exits.ts": "process.exit(0);",
      "good.ts": `${header}export const handler = scheduled({ schedule: rate("1 hour") }, async () => {});`,
      "hangs.ts": "await new Promise(() => {});",
      "no-handler.ts": "export const other = 1;",
      "plain-handler.ts": "export const handler = async () => {};",
      "spins.ts": "for (;;) {}",
      "syntax.ts": "export const handler = (;",
      "throws.ts": "const url = new URL(process.env.SHOP_URL);\nexport const handler = async () => url;",
      "two-answers.ts": `${header}
        export const job = defineJob({ schedule: rate("1 hour") });
        export const handler = scheduled({ schedule: rate("2 hours") }, async () => {});`,
      "Über uns.ts": "export {};",
    });
    const problems = await problemsOf(functions, 8000);
    const found = Object.fromEntries(problems.map((problem) => [problem.split(":")[0], problem]));
    expect(Object.keys(found)).toEqual([
      "functions/bad-expression.ts",
      "functions/bad-option.ts",
      "functions/bad-zone.ts",
      "functions/exits.ts",
      "functions/hangs.ts",
      "functions/no-handler.ts",
      "functions/plain-handler.ts",
      "functions/spins.ts",
      "functions/syntax.ts",
      "functions/throws.ts",
      "functions/two-answers.ts",
      "functions/Über uns.ts",
    ]);
    console.log(problems.join("\n\n"));
  });
});

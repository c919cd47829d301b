import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { loadJob, loadJobs } from "../../lib/infra/index.ts";
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

const advice =
  "Job files are imported when the app is synthesized, without environment, network or credentials: move this into the handler.";
const header = 'import { at, cron, defineJob, rate, scheduled, scheduledRun } from "escapement";\n';

/** Each file's schedule, by the case that it comes from. */
const badSchedules = {
  "cg-01-crontab-line": 'cron("*/5 * * * *")',
  "cg-01-empty": 'cron("")',
  "cg-01-seconds": 'cron("0 0 12 * * ? *")',
  "cg-01-written-by-hand": '{ expression: "cron(0 12 * * ?)", timeZone: "UTC" }',
  "cg-02-both-days": 'cron("7 20 * * 1-7 *")',
  "cg-02-neither-day": 'cron("0 12 ? * ? *")',
  "cg-03-object-form": 'cron({ minute: 0, hour: 18, day: "1", weekDay: "MON" })',
  "cg-05-fraction": 'rate("1.5 hours")',
  "cg-05-hour-50": 'cron("0 50 0,6,12,18 * ? *")',
  "cg-05-negative": 'rate("-5 minutes")',
  "cg-05-zero": 'rate("0 minutes")',
  "cg-06-seconds": 'rate("10 seconds")',
  "cg-08-weekday-0": 'cron("0 12 ? * 0 *")',
  "cg-08-weekday-8": 'cron("0 12 ? * 8 *")',
  "cg-17-question-mark-hour": 'cron("0 ? * * ? *")',
  "cg-17-question-mark-year": 'cron("0/5 8-17 ? * MON-FRI ?")',
  "tz-12-empty": 'cron("0 2 * * ? *", { timeZone: "" })',
  "tz-12-gmt": 'cron("0 2 * * ? *", { timeZone: "GMT+2" })',
  "tz-12-local": 'cron("0 2 * * ? *", { timeZone: "Local" })',
  "tz-12-utc": 'cron("0 2 * * ? *", { timeZone: "UTC+1" })',
};

const functionDefaults = {
  memoryMb: 256,
  architecture: "arm64",
  ephemeralStorageMb: 512,
  environment: {},
  layers: [],
  bundling: { external: [], loader: {} },
};

describe("loadJobs", () => {
  test("puts background work that fails down to its own file, and to no other", async () => {
    const { functions } = project({
      "a-fails-behind.ts":
        'setTimeout(() => { throw new Error("behind"); }, 0);\nawait new Promise((resolve) => setTimeout(resolve, 300));\nexport const handler = 1;',
      "b-good.ts": `${header}export const handler = scheduled({ schedule: rate("1 hour") }, async () => {});`,
      "c-good.ts": `${header}export const handler = scheduled({ schedule: rate("1 hour") }, async () => {});`,
    });
    expect(await problemsOf(functions)).toEqual([
      expect.stringMatching(/^functions\/a-fails-behind\.ts: Error: behind \(at 1:\d+\)\. /),
    ]);
  });

  test("reads each file's job, with its defaults, as plain data", async () => {
    const { functions } = project({
      "nightly-report.ts": `${header}
        export const handler = scheduled({
          schedule: cron("0 2 * * ? *", { timeZone: "Europe/Berlin" }),
          description: "Sends the report", timeout: "5 minutes", redact: (value) => value, onSkipped: () => {},
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
        queueLength: 10,
        catchUp: "none",
        maxLatenessMs: { often: 300_000, once: 3_600_000 },
        retries: 0,
        retentionMs: 7_776_000_000,
        locks: [],
        priority: 0,
        deadlineMarginMs: 1000,
        store: { input: false, result: false },
        enabled: true,
        alarms: false,
        function: functionDefaults,
        options: {
          schedule: {
            often: { expression: "rate(5 minutes)", timeZone: "UTC" },
            once: { expression: "at(2030-02-01T15:00:00)", timeZone: "UTC" },
          },
          retries: 0,
        },
      },
      {
        file: `${functions}/nightly-report.ts`,
        name: "nightly-report",
        description: "Sends the report",
        schedules: { default: { expression: "cron(0 2 * * ? *)", timeZone: "Europe/Berlin" } },
        timeoutMs: 300_000,
        overlap: "skip",
        queueLength: 10,
        catchUp: "none",
        maxLatenessMs: { default: 3_600_000 },
        retries: 2,
        retentionMs: 7_776_000_000,
        locks: [],
        priority: 0,
        deadlineMarginMs: 1000,
        store: { input: false, result: false },
        enabled: true,
        alarms: false,
        function: functionDefaults,
        options: {
          schedule: { expression: "cron(0 2 * * ? *)", timeZone: "Europe/Berlin" },
          description: "Sends the report",
          timeout: "5 minutes",
        },
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
      "missing-import.ts": 'import "./helper.ts";',
      "no-handler.ts": "export const other = 1;",
      "plain-handler.ts": "export const handler = async () => {};",
      "syntax.ts": "export const handler = (;",
      "throws.ts": "const shop = new URL(process.env.SHOP_URL);\nexport const handler = async () => shop;",
      "two-answers.ts": `${header}
        export const job = defineJob({ schedule: rate("1 hour") });
        export const handler = scheduled({ schedule: rate("2 hours") }, async () => {});`,
      "Über uns.ts": "export {};",
    });
    const problems = await problemsOf(functions);
    expect(problems).toEqual([
      expect.stringMatching(/^functions\/bad-expression\.ts: cron\(0 12 \* \* \?\): 5 fields found, six are needed/),
      expect.stringMatching(
        /^functions\/bad-option\.ts: .*"overlapp". Did you mean "overlap"\? Allowed: schedule, timeout/,
      ),
      expect.stringMatching(/^functions\/bad-zone\.ts: timeZone "Europe\/Berln" .* did you mean Europe\/Berlin\?/),
      `functions/exits.ts: it ended the process on import (exit code 0). ${advice}`,
      expect.stringMatching(/^functions\/missing-import\.ts: Cannot find module '.*helper\.ts' imported from /),
      expect.stringMatching(
        /^functions\/no-handler\.ts: it has no export "handler"\. Write "export const handler = scheduled/,
      ),
      expect.stringMatching(/^functions\/plain-handler\.ts: its "handler" carries no options\. Write /),
      expect.stringMatching(/^functions\/syntax\.ts: [\s\S]*syntax\.ts:1:24: ERROR: Unexpected ";"/),
      `functions/throws.ts: TypeError: Invalid URL (at 1:14). ${advice}`,
      expect.stringMatching(
        /^functions\/two-answers\.ts: its exports "handler" and "job" have different options\. Keep one/,
      ),
      expect.stringMatching(
        /^functions\/Über uns\.ts: a job is named by its file, in 1-64 small letters, digits and "-"/,
      ),
    ]);
  });

  test("refuses every schedule that AWS would refuse at deployment", async () => {
    const { functions } = project(
      Object.fromEntries(
        Object.entries(badSchedules).map(([file, spec]) => [
          `${file}.ts`,
          `${header}export const handler = scheduled({ schedule: ${spec} }, async () => {});`,
        ]),
      ),
    );
    const problems = await problemsOf(functions);
    const files = problems.map((problem) => /^functions\/(.*)\.ts: (?!.*Job files are imported)/.exec(problem)?.[1]);
    expect(files).toEqual(Object.keys(badSchedules).sort());
  });

  test("gives a file that hangs on import no more than its time", async () => {
    const { functions } = project({ "hangs.ts": "await new Promise(() => {});", "spins.ts": "for (;;) {}" });
    const busy = "If the machine is only busy, give loadJobs more time (timeLimitMs).";
    expect(await problemsOf(functions, 1000)).toEqual([
      `functions/hangs.ts: its import did not finish within 1 seconds. ${advice} ${busy}`,
      `functions/spins.ts: its import did not finish within 1 seconds. ${advice} ${busy}`,
    ]);
  });

  test("does not put down to a file the time that its reader takes to start", async () => {
    const { functions } = project({
      "hourly.ts": `${header}export const handler = scheduled({ schedule: rate("1 hour") }, async () => {});`,
    });
    // As on a busy machine: six seconds before the reader's own code begins.
    const slowStart = "data:text/javascript,Atomics.wait(new(Int32Array)(new(SharedArrayBuffer)(4)),0,0,6000)";
    vi.stubEnv("NODE_OPTIONS", `--conditions=escapement-source --import ${slowStart}`);
    onTestFinished(() => void vi.stubEnv("NODE_OPTIONS", "--conditions=escapement-source"));
    expect(await loadJobs(functions, { timeLimitMs: 5_000 })).toHaveLength(1);
  });

  test("refuses two files of one job", async () => {
    const source = `${header}export const handler = scheduled({ schedule: rate("1 hour") }, async () => {});`;
    const { functions } = project({ "twice.js": source, "twice.ts": source });
    expect(await problemsOf(functions)).toEqual([
      'functions/twice.ts: functions/twice.js is the job "twice" already. Rename one of the two.',
    ]);
  });

  test("keeps the environment and its credentials from the files", async () => {
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "a-secret-of-the-shell");
    const { functions } = project({
      "looks.ts": `throw new Error(Object.keys(process.env).sort().join(" "));`,
    });
    const [problem = ""] = await problemsOf(functions);
    expect(problem).toContain("ESCAPEMENT_SYNTH");
    expect(problem).not.toMatch(/AWS_(ACCESS|SECRET|SESSION|PROFILE)|TOKEN|VITEST/);
  });

  test("says where it looked for a folder that is not there", async () => {
    expect(await problemsOf("/no/such/folder")).toEqual([
      "The folder of job files, /no/such/folder, cannot be read: ENOENT: no such file or directory, scandir '/no/such/folder'",
    ]);
  });

  test("reads the one file of a fleet of one", async () => {
    const { functions } = project({
      "nightly.ts": `${header}export const handler = scheduled({ schedule: cron("0 2 * * ? *") }, async () => {});`,
      "broken.ts": "this is no code",
    });
    const job = await loadJob(`${functions}/nightly.ts`);
    expect(job).toMatchObject({ name: "nightly", file: `${functions}/nightly.ts` });
    expect(job.schedules["default"]?.expression).toBe("cron(0 2 * * ? *)");
    await expect(loadJob(functions)).rejects.toThrow(
      `${functions} is not there, or is no .ts, .mts, .js or .mjs file. Name the file of one job.`,
    );
  });
});

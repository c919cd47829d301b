import { Hono } from "hono";
import type { FleetJob } from "../../../../lib/dashboard/api.ts";
import type { JobDetail, RunView } from "../../../../lib/operations/index.ts";
import { upcoming } from "../../../../lib/operations/upcoming.ts";
import { instant, NOW, runOf } from "./jobs.ts";
import type { World } from "./server.ts";
import { timelineAnswer } from "./timeline.ts";

/** What the server answers to reads, of the world as it is now. */
export function answers(world: World, lastEventId: () => string): Hono {
  const app = new Hono();
  const jobOf = (name: string) => world.jobs.find(({ job }) => job === name);
  app.get("/target", (c) => c.json(world.target));
  app.get("/jobs", (c) => c.json({ jobs: world.jobs, lastEventId: lastEventId() }));
  app.get("/dead-letters", (c) => c.json([]));
  app.get("/workers", (c) => c.json({ workers: [] }));
  app.get("/backfills", (c) => c.json([]));
  app.get("/doctor", (c) => c.json(FINDINGS));
  app.get("/timeline", (c) => {
    const { from = "", to = "", jobs = "" } = c.req.query();
    const names = jobs.split(",");
    return c.json(
      timelineAnswer(
        world.timelines.filter(({ job }) => names.includes(job)),
        from,
        to,
      ),
    );
  });
  app.get("/jobs/:job/timeline", (c) => {
    const { from = "", to = "" } = c.req.query();
    return c.json(
      timelineAnswer(
        world.timelines.filter(({ job }) => job === c.req.param("job")),
        from,
        to,
      ),
    );
  });
  app.get("/jobs/:job", (c) => {
    const job = jobOf(c.req.param("job"));
    if (!job) return c.json({ error: { code: "UNKNOWN_JOB", message: `there is no job ${c.req.param("job")}` } }, 404);
    return c.json(detailOf(job));
  });
  app.get("/jobs/:job/runs", (c) => c.json(runsOf(c.req.param("job"))));
  app.get("/jobs/:job/missed", (c) => {
    return c.json({ job: c.req.param("job"), from: instant(-1440), to: instant(0), expected: 24, missed: [] });
  });
  app.get("/jobs/:job/next", (c) => {
    const { job = "", count = "5" } = { ...c.req.param(), ...c.req.query() };
    const occurrences = (jobOf(job)?.schedules ?? []).flatMap(({ name, expression, timeZone, disabled }) => {
      const range = { fromMs: Date.parse(NOW), count: Number(count), createdMs: 0 };
      const coming = disabled ? [] : upcoming({ expression, timeZone }, range).occurrences;
      return coming.map((occurrence) => ({ ...occurrence, schedule: name }));
    });
    occurrences.sort((one, other) => (one.at < other.at ? -1 : 1));
    return c.json({ job, occurrences: occurrences.slice(0, Number(count)), description: "", warnings: [] });
  });
  app.get("/jobs/:job/logs", (c) => c.json([]));
  app.get("/jobs/:job/runs/:runId", (c) => {
    const { job, runId } = c.req.param();
    const run = [jobOf(job)?.lastRun, ...runsOf(job)].find((candidate) => candidate?.runId === runId);
    return run ? c.json(run) : c.json({ error: { code: "UNKNOWN_RUN", message: `${job} has no run ${runId}` } }, 404);
  });
  return app;
}

function runsOf(job: string): RunView[] {
  return [
    runOf(job, 30),
    runOf(job, 60, { status: "FAILED", error: { name: "PaymentProviderError", message: "503 from payments.example" } }),
    runOf(job, 90, { status: "SKIPPED", reason: "overlap", heldBy: runOf(job, 120).runId }),
    runOf(job, 120, { durationMs: 1_900_000 }),
    runOf(job, 1440),
  ];
}

export function detailOf(job: FleetJob, older = runsOf(job.job)): JobDetail {
  return {
    ...job,
    functionName: `Escapement-dev_${job.job}`,
    timeoutMs: 300_000,
    heartbeatMs: 20_000,
    overlap: "skip",
    queueLength: 10,
    catchUp: "latest",
    maxLatenessMs: { default: 3_600_000 },
    retries: 2,
    retentionMs: 90 * 86_400_000,
    runs: job.lastRun ? [job.lastRun, ...older] : [],
    audit: [
      {
        at: instant(-190),
        action: "pause",
        by: "ada",
        reason: "the mail provider is moved to eu-west-1",
        until: instant(780),
      },
      {
        at: instant(-4000),
        action: "backfill",
        by: "grace",
        reason: "the outage of March",
        detail: "2026-03-20T00:00:00Z to 2026-03-24T00:00:00Z: 4 runs",
      },
      { at: instant(-9000), action: "resume", by: "ada" },
    ],
  };
}

const FINDINGS = [
  { check: "Node.js", level: "ok", message: "v22.14.0" },
  {
    check: "zone data",
    level: "warning",
    message: "2024a: Kazakhstan's change of 2024 is in it, Paraguay's is not",
    advice: "Update Node.js; previews of schedules in America/Asuncion are an hour off in summer.",
  },
  { check: "runner", level: "ok", message: "answers at http://127.0.0.1:4300, for 3 hours" },
  {
    check: "jobs",
    level: "failed",
    message: "tax-export: the item of its newest run cannot be read",
    advice: "A newer version has written it: update this one.",
  },
  { check: "dead letters", level: "ok", message: "none" },
];

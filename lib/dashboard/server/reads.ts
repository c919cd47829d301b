import { Hono } from "hono";
import type { Operations } from "../../operations/index.ts";
import type { TargetAnswer, WorkersAnswer } from "../api.ts";
import { describe } from "./describe.ts";
import {
  auditQuery,
  jobTimelineQuery,
  logsQuery,
  missedQuery,
  nextQuery,
  query,
  runsQuery,
  timelineQuery,
} from "./inputs.ts";
import type { RunnerSide } from "./runner-side.ts";
import { stackWorkers } from "./stack-workers.ts";

interface Around {
  readonly runner: RunnerSide | undefined;
  readonly readOnly: boolean;
  nowMs(): number;
}

/** What can be looked at. Each route answers as the operation of its name. */
export function reads(operations: Operations, { runner, readOnly, nowMs }: Around): Hono {
  const app = new Hono();
  app.get("/target", describe("target", "What is looked at, and in whose name"), async (c) => {
    const answer: TargetAnswer = {
      target: operations.target,
      whoAmI: await operations.whoAmI(),
      now: new Date(nowMs()).toISOString(),
      readOnly,
      clock: runner?.clock && { speed: runner.clock.speed, pace: runner.clock.pace() },
      faults: runner?.faults ?? [],
    };
    return c.json(answer);
  });
  app.get("/missed", describe("missed", "What fell due and has no record"), query(missedQuery), async (c) =>
    c.json(await operations.missedOfAll(c.req.valid("query"))),
  );
  app.get("/dead-letters", describe("dead-letters", "The events that failed for good"), async (c) =>
    c.json(await operations.deadLetters()),
  );
  app.get(
    "/timeline",
    describe("timeline", "What should have run in a range, what did, and what is to come"),
    query(timelineQuery),
    async (c) => {
      const { jobs, ...range } = c.req.valid("query");
      return c.json(await operations.timeline({ ...range, jobs: jobs?.split(",") }));
    },
  );
  app.get("/workers", describe("workers", "The sandboxes; of a stack the environments at work"), async (c) => {
    const workers = runner ? runner.workers() : await stackWorkers(operations);
    return c.json({ workers } satisfies WorkersAnswer);
  });
  app.get("/doctor", describe("doctor", "Checks this machine, the runner or stack, and the jobs"), async (c) =>
    c.json(await operations.doctor()),
  );
  return app.route("/jobs/:job", jobReads(operations));
}

function jobReads(operations: Operations): Hono {
  const app = new Hono();
  const jobOf = (c: { req: { param(name: string): string | undefined } }) => c.req.param("job") ?? "";
  app.get("/", describe("describe", "One job with its newest runs"), async (c) =>
    c.json(await operations.describe(jobOf(c))),
  );
  app.get("/runs", describe("runs", "A job's runs, newest first"), query(runsQuery), async (c) =>
    c.json(await operations.runs(jobOf(c), c.req.valid("query"))),
  );
  app.get("/runs/:runId", describe("run", "One run with its attempts"), async (c) =>
    c.json(await operations.run(jobOf(c), c.req.param("runId"))),
  );
  app.get("/next", describe("next", "A job's next occurrences"), query(nextQuery), async (c) =>
    c.json(await operations.next(jobOf(c), c.req.valid("query"))),
  );
  app.get(
    "/missed",
    describe("missed-of-job", "What of one job fell due and has no record"),
    query(missedQuery),
    async (c) => c.json(await operations.missed(jobOf(c), c.req.valid("query"))),
  );
  app.get("/timeline", describe("timeline-of-job", "The timeline of one job"), query(jobTimelineQuery), async (c) =>
    c.json(await operations.timeline({ ...c.req.valid("query"), jobs: [jobOf(c)] })),
  );
  app.get("/audit", describe("audit", "What operators did to a job, newest first"), query(auditQuery), async (c) =>
    c.json(await operations.audit(jobOf(c), c.req.valid("query"))),
  );
  app.get("/logs", describe("logs", "A job's newest log lines, or those of one run"), query(logsQuery), async (c) =>
    c.json(await operations.logs(jobOf(c), c.req.valid("query"))),
  );
  app.get("/pause", describe("look-at-pause", "What a pause has held up, and what a resume would do"), async (c) =>
    c.json(await operations.lookAtPause(jobOf(c))),
  );
  return app;
}

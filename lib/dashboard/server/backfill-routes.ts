import { type Context, Hono } from "hono";
import type { Operations } from "../../operations/index.ts";
import type { Backfills } from "./backfills.ts";
import { describe } from "./describe.ts";
import { refuse } from "./errors.ts";
import { backfillBody, backfillPlanBody, body } from "./inputs.ts";

/** Plans backfills, starts them, tells how they go on, and stops them. */
export function backfillRoutes(operations: Operations, backfills: Backfills, nowMs: () => number): Hono {
  const app = new Hono();
  const unknown = (c: Context) => {
    const known = backfills.list().map(({ id }) => id);
    const hint = known.length > 0 ? `there are ${known.join(", ")}` : "none has been asked for here yet";
    return refuse(c, 404, "UNKNOWN_BACKFILL", `there is no backfill "${c.req.param("id")}"; ${hint}`);
  };

  app.get("/backfills", describe("backfills", "The backfills asked for here, newest first"), (c) =>
    c.json(backfills.list()),
  );
  app.get("/backfills/:id", describe("backfill-progress", "How far a backfill is"), (c) => {
    const view = backfills.find(c.req.param("id"));
    return view ? c.json(view) : unknown(c);
  });
  app.post("/backfills/:id/stop", describe("stop-backfill", "Starts none of its runs any more"), (c) => {
    const view = backfills.stop(c.req.param("id"));
    return view ? c.json(view) : unknown(c);
  });
  app.post(
    "/jobs/:job/backfill/plan",
    describe("plan-backfill", "What a backfill would run"),
    body(backfillPlanBody),
    async (c) => c.json(await operations.planBackfill(c.req.param("job"), c.req.valid("json"))),
  );
  app.post(
    "/jobs/:job/backfill",
    describe("backfill", "Starts to run past occurrences, and goes on by itself"),
    body(backfillBody),
    async (c) => {
      const job = c.req.param("job");
      const { by = await operations.whoAmI(), ...request } = c.req.valid("json");
      // It refuses what cannot be run while there is still somebody to answer.
      const { id, runs: planned } = await operations.planBackfill(job, request);
      if (!operations.target.running)
        return refuse(c, 503, "NOT_RUNNING", "no runner is running; start one: npm start");
      const obstacle = backfills.obstacle(job);
      if (obstacle) return refuse(c, 409, "BACKFILL_AT_WORK", obstacle);
      const runs = planned.map(({ runId }) => runId);
      return c.json(backfills.start(job, { ...request, id, runs, by }, new Date(nowMs()).toISOString()), 202);
    },
  );
  return app;
}

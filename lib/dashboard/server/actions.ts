import { Hono } from "hono";
import type { Operations } from "../../operations/index.ts";
import { describe } from "./describe.ts";
import { body, cancelBody, discardBody, pauseBody, resendBody, resumeBody, triggerBody, unlockBody } from "./inputs.ts";

/** What can be done. `by` is whom the operations say this is, unless the request says another. */
export function actions(operations: Operations): Hono {
  const app = new Hono();
  const inName = async <A extends { by?: string | undefined }>(request: A) => ({
    ...request,
    by: request.by ?? (await operations.whoAmI()),
  });

  app.post(
    "/dead-letters/resend",
    describe("resend", "Starts again what failed for good"),
    body(resendBody),
    async (c) => {
      const { id, ...actor } = await inName(c.req.valid("json"));
      return c.json(await operations.resend(id, actor));
    },
  );
  app.post(
    "/dead-letters/discard",
    describe("discard", "Removes a dead letter unsent, for good"),
    body(discardBody),
    async (c) => {
      const { id, ...actor } = await inName(c.req.valid("json"));
      return c.json(await operations.discard(id, actor));
    },
  );
  app.post(
    "/jobs/:job/trigger",
    describe("trigger", "One run now, outside the schedule"),
    body(triggerBody),
    async (c) => c.json(await operations.trigger(c.req.param("job"), await inName(c.req.valid("json")))),
  );
  app.post(
    "/jobs/:job/pause",
    describe("pause", "Skips the job's occurrences from now on"),
    body(pauseBody),
    async (c) => {
      const answer = await operations.pause(c.req.param("job"), await inName(c.req.valid("json")));
      return c.json(answer, answer.outcome === "paused" ? 200 : 409);
    },
  );
  app.post("/jobs/:job/resume", describe("resume", "Ends the job's pause"), body(resumeBody), async (c) => {
    const answer = await operations.resume(c.req.param("job"), await inName(c.req.valid("json")));
    return c.json(answer, answer.outcome === "conflict" ? 409 : 200);
  });
  app.post("/jobs/:job/cancel", describe("cancel", "Asks the run at work to stop"), body(cancelBody), async (c) => {
    const answer = await operations.cancel(c.req.param("job"), await inName(c.req.valid("json")));
    return c.json(answer, answer.outcome === "cannot-hear" || answer.outcome === "has-started" ? 409 : 200);
  });
  app.post("/jobs/:job/unlock", describe("unlock", "Takes the lock from its holder"), body(unlockBody), async (c) => {
    const answer = await operations.unlock(c.req.param("job"), await inName(c.req.valid("json")));
    return c.json(answer, answer.outcome === "conflict" ? 409 : 200);
  });
  return app;
}

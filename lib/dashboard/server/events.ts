import { Hono } from "hono";
import { describe } from "./describe.ts";
import { refuse } from "./errors.ts";
import type { EventLog } from "./event-log.ts";
import { eventStream, STREAM_TIMES } from "./event-stream.ts";
import type { FleetWatch } from "./fleet-watch.ts";

const MAX_READERS = 20;

/** `GET /events`: what changes, as server-sent events. */
export function events(log: EventLog, watch: FleetWatch): Hono {
  const app = new Hono();
  let readers = 0;
  app.get(
    "/events",
    describe("events", "What changes, as server-sent events: each has one of these as its data"),
    (c) => {
      if (c.req.method === "HEAD") return c.body(null, 200, { "Content-Type": "text/event-stream" });
      if (readers >= MAX_READERS) {
        return refuse(c, 503, "TOO_MANY_READERS", `${MAX_READERS} pages are open already: close one`);
      }
      readers++;
      const leave = watch.enter();
      // An EventSource sends the header when it connects again, and cannot set it before.
      const after = c.req.header("Last-Event-ID") ?? c.req.query("lastEventId") ?? log.lastId;
      return c.body(
        eventStream(log, after, STREAM_TIMES, () => {
          readers--;
          leave();
        }),
        200,
        { "Content-Type": "text/event-stream" },
      );
    },
  );
  return app;
}

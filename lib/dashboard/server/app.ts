import { Hono, type MiddlewareHandler } from "hono";
import { methodNotAllowed } from "hono/method-not-allowed";
import type { Operations } from "../../operations/index.ts";
import { actions } from "./actions.ts";
import { backfillRoutes } from "./backfill-routes.ts";
import { Backfills } from "./backfills.ts";
import { jsonOnly, nothingLost, notTooLarge } from "./bodies.ts";
import { describe } from "./describe.ts";
import { answerError, refuse } from "./errors.ts";
import { EventLog } from "./event-log.ts";
import { events } from "./events.ts";
import { FleetWatch, WATCH_TIMES } from "./fleet-watch.ts";
import { notStored, safeHeaders } from "./headers.ts";
import { FleetMetrics } from "./metrics.ts";
import { openApiDocument } from "./openapi.ts";
import { ownServer } from "./own-server.ts";
import { reads } from "./reads.ts";
import type { RunnerSide } from "./runner-side.ts";
import { ownRequestsOnly, signedInOnly, signInByLink } from "./sign-in.ts";
import { staticPage } from "./static-page.ts";

export interface DashboardOptions {
  readonly operations: Operations;
  /** Where it is served, such as `http://127.0.0.1:4242`: requests that mean another place are refused. */
  readonly url: string;
  /** Who has it may look and act. Random, and new with every run. */
  readonly token: string;
  /** Refuses everything that changes something. @default false */
  readonly readOnly?: boolean | undefined;
  /** @default none runs in this process */
  readonly runner?: RunnerSide | undefined;
}

/** The dashboard: its page at `/`, and the API behind it. It takes no other path than its own. */
export function dashboardApp({ operations, url, token, runner, readOnly = false }: DashboardOptions): Hono {
  const own = ownServer(url);
  const nowMs = () => runner?.nowMs() ?? Date.now();
  const log = new EventLog();
  const watch = new FleetWatch(operations, log, runner, WATCH_TIMES);
  const backfills = new Backfills(operations, (view) => log.append({ kind: "backfill", ...view }));
  const app = new Hono();
  app.onError(answerError);

  const api = new Hono();
  api.use(
    safeHeaders,
    notStored,
    ownRequestsOnly(own),
    signedInOnly(token, own),
    jsonOnly,
    notTooLarge,
    nothingLost,
    otherMethods(api),
  );
  api.get("/jobs", describe("list", "The fleet"), async (c) => c.json(await watch.fleet()));
  api.route("/", events(log, watch));
  if (readOnly) api.use(readingOnly);
  api.use("/jobs/:job/*", async (c, next) => {
    await next();
    if (c.req.method === "POST") watch.touch(c.req.param("job"));
  });
  api.use("/dead-letters/*", async (c, next) => {
    await next();
    if (c.req.method === "POST") watch.touchLetters();
  });
  api.route("/", reads(operations, { runner, readOnly, nowMs }));
  api.route("/", actions(operations));
  api.route("/", backfillRoutes(operations, backfills, nowMs));
  let document: ReturnType<typeof openApiDocument> | undefined;
  api.get("/openapi.json", async (c) => {
    document ??= openApiDocument(app);
    return c.json(await document);
  });
  api.all("*", (c) => refuse(c, 404, "NO_ROUTE", `there is no ${c.req.method} ${c.req.path}; see /api/openapi.json`));
  app.route("/api", api);

  const metrics = new FleetMetrics(operations, runner, nowMs());
  app.use("/metrics", safeHeaders, notStored, ownRequestsOnly(own), signedInOnly(token, own));
  app.get("/metrics", async (c) => c.body(await metrics.text(), 200, { "Content-Type": metrics.contentType }));

  app.route("/", staticPage(safeHeaders, ownRequestsOnly(own), signInByLink(token, own)));
  return app;
}

const readingOnly: MiddlewareHandler = async (c, next) => {
  if (c.req.method !== "POST" || c.req.path.endsWith("/plan")) return next();
  return refuse(c, 403, "READ_ONLY", "this dashboard shows, and changes nothing");
};

/** A path that is served, but not so: which methods it has. */
function otherMethods(app: Hono) {
  return methodNotAllowed({
    app,
    onMethodNotAllowed(c, methods) {
      c.header("Allow", methods.join(", "));
      return refuse(c, 405, "METHOD", `${c.req.path} takes ${methods.join(" or ")}`);
    },
  });
}

import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createProgram } from "../../../lib/cli/program.ts";
import { openDashboard } from "./dashboard.ts";

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly required?: boolean }[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, { readonly content: Record<string, { readonly schema: object }> }>>;
}

interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: object;
}

/** What makes projects or runs the servers themselves. */
const WITHOUT_ROUTE = ["dev", "dashboard", "new", "init", "completion", "complete"];

let dashboard: Awaited<ReturnType<typeof openDashboard>>;
let document: Document;
const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

beforeAll(async () => {
  dashboard = await openDashboard();
  document = (await (await dashboard.get("/api/openapi.json")).json()) as Document;
});
afterAll(() => dashboard.close());

describe("the document", () => {
  test("has an operation for every command that acts on a fleet", () => {
    const commands = createProgram().commands.map((command) => command.name());
    const ids = operations().map(({ operation }) => operation.operationId);

    expect(document.openapi).toBe("3.1.0");
    expect(commands.filter((name) => !ids.includes(name) && !WITHOUT_ROUTE.includes(name))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("names the parameters of every path, and what every POST with a body takes", () => {
    for (const { path, method, operation } of operations()) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const declared = (operation.parameters ?? []).filter((one) => one.in === "path").map(({ name }) => name);
      expect([path, declared]).toEqual([path, inPath]);
      const takesBody = method === "post" && operation.operationId !== "stop-backfill";
      expect([path, operation.requestBody !== undefined]).toEqual([path, takesBody]);
    }
  });

  test("says what a query may hold, as it is sent", () => {
    const parameters = document.paths["/api/jobs/{job}/runs"]?.["get"]?.parameters;
    expect(
      parameters?.filter((one) => one.in === "query").map(({ name, required }) => [name, required ?? false]),
    ).toEqual([
      ["status", false],
      ["since", false],
      ["limit", false],
    ]);
  });
});

describe("what the server answers is as the document says", () => {
  let ajv: Ajv2020;
  const runId = "2026-05-03T00:30:00.000Z#default";
  const check = async (id: string, answer: Response, status: number) => {
    const found = operations().find(({ operation }) => operation.operationId === id);
    const schema = (found?.operation.responses[status] ?? found?.operation.responses["default"])?.content;
    const validate = ajv.compile({ components: document.components, ...schema?.["application/json"]?.schema });
    const json = await answer.json();
    expect([id, answer.status, json]).toEqual([id, status, expect.anything()]);
    expect([id, validate(json), validate.errors]).toEqual([id, true, null]);
  };

  beforeAll(async () => {
    // The draft's keywords only; OpenAPI's own words around the schemas are no part of it.
    ajv = new Ajv2020({ strict: false });
    const due = Date.UTC(2026, 4, 3, 0, 30);
    const error = { name: "Error", message: "no rates" };
    await dashboard.fleet.run(due, { runId, schedule: "default", scheduledTimeMs: due }, { status: "FAILED", error });
    await dashboard.fleet.pause("ada");
  });

  const range = "from=2026-05-02T00:00:00Z&to=2026-05-05T00:00:00Z";
  const run = encodeURIComponent(runId);
  test.each([
    ["target", "/api/target"],
    ["list", "/api/jobs"],
    ["describe", "/api/jobs/nightly"],
    ["next", "/api/jobs/nightly/next?count=2"],
    ["runs", "/api/jobs/nightly/runs?status=FAILED&limit=5"],
    ["run", `/api/jobs/nightly/runs/${run}`],
    ["timeline", `/api/timeline?${range}&jobs=nightly`],
    ["timeline-of-job", `/api/jobs/nightly/timeline?${range}`],
    ["missed", "/api/missed"],
    ["missed-of-job", "/api/jobs/nightly/missed"],
    ["audit", "/api/jobs/nightly/audit"],
    ["logs", `/api/jobs/nightly/logs?runId=${run}`],
    ["look-at-pause", "/api/jobs/nightly/pause"],
    ["dead-letters", "/api/dead-letters"],
    ["workers", "/api/workers"],
    ["doctor", "/api/doctor"],
    ["backfills", "/api/backfills"],
  ])("%s at %s", async (id, path) => {
    await check(id, await dashboard.get(path), 200);
  });

  test("the actions, and their conflicts", async () => {
    const act = (action: string, body: object) => dashboard.post(`/api/jobs/nightly/${action}`, body);
    await check("pause", await act("pause", { reason: "x" }), 409);
    await check("resume", await act("resume", {}), 200);
    await check("pause", await act("pause", { reason: "x" }), 200);
    await check("cancel", await act("cancel", { reason: "x" }), 200);
    await check("unlock", await act("unlock", { reason: "x", owner: "nobody" }), 200);
    await check("trigger", await act("trigger", { input: 1 }), 200);
    await check("resend", await dashboard.post("/api/dead-letters/resend"), 200);
    await check("pause", await act("pause", {}), 400);

    const day = 24 * 60 * 60_000;
    const days = { from: new Date(Date.now() - 3 * day).toISOString(), to: new Date(Date.now() - day).toISOString() };
    const query = { ...days, evenIfPaused: true };
    await check("plan-backfill", await act("backfill/plan", query), 200);
    await check("backfill", await act("backfill", query), 202);
  });
});

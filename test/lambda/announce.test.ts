import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { EndedAttempt } from "../../lib/lambda/announce.ts";
import { sendRunEvent } from "../../lib/lambda/run-events.ts";
import { scheduledIn } from "../../lib/lambda/scheduled.ts";
import { traceAttempt } from "../../lib/lambda/trace.ts";
import { cron } from "../../lib/schedule/index.ts";
import { lambdaContext, occurrence, openTable, testRuntime } from "./harness.ts";

const failed: EndedAttempt = {
  fleet: "Escapement-dev",
  job: "nightly-report",
  runId: "2026-05-01T00:00:00.000Z#default",
  attempt: 2,
  status: "FAILED",
  startedMs: 1_777_593_600_000,
  endedMs: 1_777_593_601_500,
  error: { name: "Error", message: "no report today" },
};
const header = "Root=1-67891233-abcdef012345678912345678;Parent=463ac35c9f6413ad";

/** A daemon as Lambda has it beside a function. */
async function daemon() {
  const socket = createSocket("udp4");
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  onTestFinished(() => void socket.close());
  return { address: `127.0.0.1:${socket.address().port}`, heard: () => once(socket, "message") };
}

describe("the trace", () => {
  test("of a sampled invocation has the attempt, annotated with job, run id and attempt", async () => {
    const { address, heard } = await daemon();
    const message = heard();
    await traceAttempt(failed, { AWS_XRAY_DAEMON_ADDRESS: address, _X_AMZN_TRACE_ID: `${header};Sampled=1` });
    const [first, second] = String((await message)[0]).split("\n");
    expect(JSON.parse(first ?? "")).toEqual({ format: "json", version: 1 });
    expect(JSON.parse(second ?? "")).toEqual({
      type: "subsegment",
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      trace_id: "1-67891233-abcdef012345678912345678",
      parent_id: "463ac35c9f6413ad",
      name: "nightly-report",
      start_time: 1_777_593_600,
      end_time: 1_777_593_601.5,
      fault: true,
      annotations: { job: "nightly-report", runId: "2026-05-01T00:00:00.000Z#default", attempt: 2 },
      metadata: { escapement: { status: "FAILED", error: failed.error } },
    });
  });

  test.each([
    ["CANCELLED", false],
    ["TIMED_OUT", true],
  ] as const)("of an attempt that ended %s shows a fault: %s", async (status, fault) => {
    const { address, heard } = await daemon();
    const message = heard();
    const variables = { AWS_XRAY_DAEMON_ADDRESS: address, _X_AMZN_TRACE_ID: `${header};Sampled=1` };
    await traceAttempt({ ...failed, status }, variables);
    expect(JSON.parse(String((await message)[0]).split("\n")[1] ?? "")).toMatchObject({ fault });
  });

  test.each([
    ["that is not sampled", { AWS_XRAY_DAEMON_ADDRESS: "127.0.0.1:1", _X_AMZN_TRACE_ID: `${header};Sampled=0` }],
    ["without a daemon", { _X_AMZN_TRACE_ID: `${header};Sampled=1` }],
    ["on a laptop", {}],
  ])("of an invocation %s gets nothing, and nothing fails", async (_, variables) => {
    await expect(traceAttempt(failed, variables)).resolves.toBeUndefined();
  });
});

test("a run event has the source, the name and the details of how the attempt ended", async () => {
  const bodies: { Entries: Record<string, string>[] }[] = [];
  const server = createServer(async (request, response) => {
    bodies.push(JSON.parse(await text(request)));
    response
      .setHeader("Content-Type", "application/x-amz-json-1.1")
      .end('{"FailedEntryCount":0,"Entries":[{"EventId":"1"}]}');
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  vi.stubEnv("AWS_ENDPOINT_URL_EVENTBRIDGE", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv("AWS_REGION", "eu-central-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
  vi.stubGlobal("ESCAPEMENT_RUN_EVENTS", true);
  onTestFinished(() => void vi.unstubAllEnvs().unstubAllGlobals());

  await sendRunEvent(failed, {});
  expect(bodies).toEqual([]);
  await sendRunEvent(failed, { ESCAPEMENT_EVENT_BUS: "ends" });
  const [entry] = bodies[0]?.Entries ?? [];
  expect(entry).toMatchObject({ EventBusName: "ends", Source: "escapement", DetailType: "Run Failed" });
  expect(JSON.parse(entry?.["Detail"] ?? "")).toEqual({
    stack: "Escapement-dev",
    job: "nightly-report",
    runId: "2026-05-01T00:00:00.000Z#default",
    attempt: 2,
    status: "FAILED",
    error: { name: "Error", message: "no report today" },
    startedAt: "2026-05-01T00:00:00.000Z",
    endedAt: "2026-05-01T00:00:01.500Z",
    durationMs: 1_500,
  });
});

test("what cannot be told fails no run: it is logged, after the run is recorded", async () => {
  const table = await openTable();
  onTestFinished(() => table.close());
  const T0 = "2026-05-01T00:00:00Z";
  const runtime = testRuntime(table, T0);
  const told: (EndedAttempt & { recorded: string | undefined })[] = [];
  const announce = async (attempt: EndedAttempt) => {
    const run = await runtime.queries.readRun(runtime.job, attempt.runId);
    told.push({ ...attempt, recorded: run?.status });
    return [new Error("the bus is gone")];
  };
  const lambda = scheduledIn(
    () => ({ ...runtime, announce }),
    { schedule: cron("0 0 * * ? *") },
    async () => "done",
  );
  expect(await lambda(occurrence(T0, "exec-1"), lambdaContext(runtime.clock, "request-1"))).toBe("done");
  expect(told).toMatchObject([
    {
      fleet: runtime.fleet,
      job: "nightly-report",
      schedule: "default",
      attempt: 1,
      status: "SUCCEEDED",
      recorded: "SUCCEEDED",
    },
  ]);
  expect(runtime.lines.at(-1)).toMatchObject({ level: "warn", extra: new Error("the bus is gone") });
});

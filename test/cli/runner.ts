import { join } from "node:path";
import { invokeApi } from "../../lib/local/invoke-api.ts";
import { writeRunnerFile } from "../../lib/local/runner-file.ts";
import { openServer } from "../../lib/local/server.ts";
import { manualRunId } from "../../lib/run/index.ts";
import { FLEET, minute, nightly, openFleet, TABLE } from "../operations/fleet.ts";

/**
 * Stands for a running runner: its file, its Invoke API and its table are real; its one function is done at once, and
 * fails where the input says `{"fail": true}`.
 */
export async function startFakeRunner(firstSeenMs = Date.UTC(2026, 4, 1)) {
  const fleet = await openFleet();
  await fleet.register.putFleetJob(nightly, firstSeenMs);
  const identity = { pid: process.pid, startedAt: "2026-05-01T00:00:00.000Z" };
  const server = await openServer(0, identity);
  const accessKeyId = "LOCALKEY";
  const payloads: Payload[] = [];
  server.serve(
    invokeApi({
      accessKeyId,
      functions: new Set([nightly.functionName]),
      accept(_functionName, text) {
        const payload = JSON.parse(text) as Payload;
        payloads.push(payload);
        void runAtOnce(fleet, payload);
        return "request-of-the-runner";
      },
    }),
  );
  writeRunnerFile(fleet.stateDir, {
    ...identity,
    url: server.url,
    accessKeyId,
    token: "TOKEN",
    dynamoEndpoint: fleet.endpoint,
    tableName: TABLE,
    fleet: FLEET,
    assemblyDir: join(fleet.stateDir, "cdk.out"),
  });
  return {
    fleet,
    server,
    stateDir: fleet.stateDir,
    payloads,
    async close() {
      server.close();
      await fleet.close();
    },
  };
}

interface Payload {
  escapement: {
    request?: { id: string; at: string; by: string; reason?: string };
    start?: { runId: string; workTime?: string };
  };
  input?: { fail?: boolean };
}

async function runAtOnce(fleet: Awaited<ReturnType<typeof openFleet>>, { escapement, input }: Payload): Promise<void> {
  const { request, start } = escapement;
  if (start) {
    const [time = "", schedule = ""] = start.runId.split("#");
    const occurrence = { runId: start.runId, schedule, scheduledTimeMs: Date.parse(time) };
    await fleet.run(
      Date.now(),
      { ...occurrence, cause: "backfill", trigger: { kind: "operator" } },
      { status: "SUCCEEDED" },
    );
    return;
  }
  const { id, at, by, reason } = request ?? { id: "", at: "", by: "" };
  const atMs = Date.parse(at);
  const delivery = { runId: manualRunId(id, atMs), trigger: { kind: "operator" as const, by, reason } };
  if (!input?.fail) {
    await fleet.run(atMs, delivery, { status: "SUCCEEDED" });
    return;
  }
  for (let attempt = 1; attempt <= nightly.retries + 1; attempt++) {
    const error = { name: "Error", message: "asked to" };
    await fleet.run(atMs + attempt * minute, delivery, { status: "FAILED", error });
  }
}

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

const manifest = {
  fleet: "Escapement-dev",
  jobs: { "nightly-report": { functionName: "Escapement-dev_nightly-report" } },
};

/** What reached Lambda's Invoke API. */
const invoked: unknown[] = [];
let server: Server;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    invoked.push({ method, url, type: headers["x-amz-invocation-type"], event: JSON.parse(await text(request)) });
    response.writeHead(202).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  vi.stubGlobal("ESCAPEMENT_MANIFEST", manifest);
  vi.stubEnv("AWS_ENDPOINT_URL_LAMBDA", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv("AWS_REGION", "eu-central-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
});
afterAll(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
});

const request = {
  id: "c3d4e5f6",
  time: "2026-05-01T09:15:03Z",
  account: "123456789012",
  source: "escapement",
  "detail-type": "Run Requested",
  detail: { stack: "Escapement-dev", job: "nightly-report", by: "kim" },
};

test("the dispatcher invokes the job's function asynchronously, with the event unchanged", async () => {
  const { handler } = await import("../../lib/lambda/dispatcher.ts");
  expect(await handler(request)).toEqual({ functionName: "Escapement-dev_nightly-report" });
  expect(invoked).toEqual([
    {
      method: "POST",
      url: "/2015-03-31/functions/Escapement-dev_nightly-report/invocations",
      type: "Event",
      event: request,
    },
  ]);
});

test("a request that is wrong fails with the reason and is counted; nothing is invoked", async () => {
  const printed = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const { handler } = await import("../../lib/lambda/dispatcher.ts");
  invoked.length = 0;
  await expect(handler({ ...request, detail: { stack: "Escapement-dev", job: "nightly" } })).rejects.toThrow(
    `The run request's detail.job is "nightly".`,
  );
  expect(invoked).toEqual([]);
  expect(String(printed.mock.calls[0]?.[0])).toContain('"RejectedRequests":1');
  printed.mockRestore();
});

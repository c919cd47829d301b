import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createRunStore } from "../../lib/store/index.ts";
import { testClient } from "./dynamo.ts";

const OWN_MS = Date.parse("2026-03-02T02:00:10.000Z");
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.closeAllConnections();
});

/** A stand-in for DynamoDB that always answers the same, with a `Date` of its own. */
async function readStateFrom(answer: { status: number; date: string; body: object }) {
  const server = createServer((_request, response) => {
    response.writeHead(answer.status, { "content-type": "application/x-amz-json-1.0", date: answer.date });
    response.end(JSON.stringify(answer.body));
  });
  servers.push(server.listen(0, "127.0.0.1"));
  await once(server, "listening");
  const client = testClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const store = createRunStore({ client, tableName: "runs", fleet: "f", clock: () => OWN_MS });
  return {
    read: () => store.execute({ kind: "read-state", job: "j" }),
    put: () => store.execute({ kind: "release", job: "j", owner: "me" }),
  };
}

describe("the time of an answer", () => {
  test("is the own clock's while the two agree to the second", async () => {
    const { read } = await readStateFrom({ status: 200, date: "Mon, 02 Mar 2026 02:00:10 GMT", body: {} });
    expect(await read()).toMatchObject({ nowMs: Date.parse("2026-03-02T02:00:10.000Z") });
  });

  test("is the table's, to the end of its second, when the own clock is ahead", async () => {
    const { read } = await readStateFrom({ status: 200, date: "Mon, 02 Mar 2026 02:00:03 GMT", body: {} });
    expect(await read()).toMatchObject({ nowMs: Date.parse("2026-03-02T02:00:03.999Z") });
  });

  test("is the own clock's when the table is ahead", async () => {
    const { read } = await readStateFrom({ status: 200, date: "Mon, 02 Mar 2026 02:05:00 GMT", body: {} });
    expect(await read()).toMatchObject({ nowMs: OWN_MS });
  });

  test("is taken from a refusal, too", async () => {
    const Item = { pk: { S: "f#job#j" }, sk: { S: "state" }, v: { N: "1" } };
    const { put } = await readStateFrom({
      status: 400,
      date: "Mon, 02 Mar 2026 02:00:03 GMT",
      body: { __type: "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException", message: "", Item },
    });
    // DynamoDB returned the item, so nothing is read.
    expect(await put()).toEqual({
      applied: false,
      nowMs: Date.parse("2026-03-02T02:00:03.999Z"),
      state: { consecutiveFailures: 0 },
    });
  });
});

describe("a fault of the store is never a held lock, but a StoreError", () => {
  const date = "Mon, 02 Mar 2026 02:00:10 GMT";

  test.each([
    ["AccessDeniedException", "STORE_ACCESS_DENIED"],
    ["ResourceNotFoundException", "STORE_TABLE_MISSING"],
    ["ValidationException", "STORE_REJECTED"],
    ["ThrottlingException", "STORE_THROTTLED"],
    ["InternalServerError", "STORE_UNREACHABLE"],
  ])("%s is %s, with its cause", async (name, code) => {
    const status = name === "InternalServerError" ? 500 : 400;
    const { put } = await readStateFrom({ status, date, body: { __type: name, message: "no" } });
    await expect(put()).rejects.toMatchObject({ name: "StoreError", code, cause: { name } });
  });

  test("its text says what was asked of which table", async () => {
    const { put } = await readStateFrom({
      status: 400,
      date,
      body: { __type: "AccessDeniedException", message: "no" },
    });
    await expect(put()).rejects.toThrow("Could not update f#job#j / state in table runs: AccessDeniedException: no");
  });

  test("nobody listening is STORE_UNREACHABLE", async () => {
    const client = testClient("http://127.0.0.1:1");
    const store = createRunStore({ client, tableName: "runs", fleet: "f" });
    await expect(store.execute({ kind: "read-state", job: "j" })).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
  });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDashboard, TOKEN } from "./dashboard.ts";

let dashboard: Awaited<ReturnType<typeof openDashboard>>;
const bearer = { Authorization: `Bearer ${TOKEN}` };
let cookie: string;

beforeAll(async () => {
  dashboard = await openDashboard();
  cookie = `escapement-${new URL(dashboard.url).port}=${TOKEN}`;
});
afterAll(() => dashboard.close());

describe("signing in", () => {
  test("the link puts the token into a cookie that no script and no other site gets, and out of the address", async () => {
    const { status, headers } = await dashboard.raw("GET", `/?token=${TOKEN}`, {});

    expect(status).toBe(303);
    expect(headers["location"]).toBe("/");
    expect(headers["set-cookie"]).toEqual([`${cookie}; Path=/; HttpOnly; SameSite=Strict`]);
  });

  test("a link with another token is refused, and sets nothing", async () => {
    const { status, headers, body } = await dashboard.raw("GET", "/?token=of-an-earlier-run", {});

    expect(status).toBe(401);
    expect(headers["set-cookie"]).toBeUndefined();
    expect(body).toMatch(/link is of an earlier run/);
  });

  test.each([
    ["without any", {}],
    ["with another token", { Authorization: "Bearer other" }],
    ["with an empty one", { Authorization: "Bearer " }],
    ["with the token in another scheme", { Authorization: TOKEN }],
    ["with the cookie of another port", { Cookie: `escapement-1=${TOKEN}` }],
  ])("the API %s answers 401 and says what to do", async (_name, headers) => {
    for (const path of ["/api/jobs", "/api/events", "/api/openapi.json", "/metrics"]) {
      const { status, body } = await dashboard.raw("GET", path, headers);
      expect([path, status]).toEqual([path, 401]);
      expect(JSON.parse(body)).toMatchObject({ error: { code: "NO_TOKEN", message: /Authorization: Bearer/ } });
    }
  });

  test("the cookie and the bearer token both open the API", async () => {
    expect((await dashboard.raw("GET", "/api/target", { Cookie: cookie })).status).toBe(200);
    expect((await dashboard.raw("GET", "/api/target", bearer)).status).toBe(200);
  });
});

describe("a foreign page", () => {
  test.each(["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example"])(
    "that reaches this server by the name %s gets nothing, though it has the cookie",
    async (Host) => {
      for (const path of ["/api/jobs", "/", "/page.js"]) {
        expect((await dashboard.raw("GET", path, { Host, Cookie: cookie })).status).toBe(403);
      }
    },
  );

  test.each(["https://evil.example", "null", "http://127.0.0.1:1"])(
    "of the origin %s can neither read nor act, though the browser adds the cookie",
    async (Origin) => {
      const headers = { Origin, Cookie: cookie, "Content-Type": "application/json" };
      for (const [method, path] of [
        ["GET", "/api/jobs"],
        ["POST", "/api/jobs/nightly/trigger"],
        ["OPTIONS", "/api/jobs/nightly/trigger"],
      ] as const) {
        const answer = await dashboard.raw(method, path, headers);
        expect(answer.status).toBe(403);
        expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
      }
      expect(dashboard.payloads).toEqual([]);
    },
  );

  test("cannot act by the cookie alone: without an Origin a POST is refused", async () => {
    const answer = await dashboard.raw("POST", "/api/jobs/nightly/trigger", { Cookie: cookie });

    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([403, "NO_ORIGIN"]);
    expect(dashboard.payloads).toEqual([]);
  });

  test("is not ours: our own acts by cookie and Origin", async () => {
    const headers = { Cookie: cookie, Origin: dashboard.url };
    expect((await dashboard.raw("POST", "/api/jobs/nightly/trigger", headers)).status).toBe(200);
    expect(dashboard.payloads).toHaveLength(1);
  });
});

describe("what is hostile in a path", () => {
  test.each(["/..%2f..%2fpackage.json", "/../package.json", "/page.js/../../package.json", "/%2e%2e/package.json"])(
    "%s is no file of the page",
    async (path) => {
      const { status, body } = await dashboard.raw("GET", path, bearer);
      expect(status).toBe(404);
      expect(body).not.toMatch(/"name"/);
    },
  );

  test.each(["..%2fx", "__proto__", "constructor", "<script>alert(1)</script>", "%00", "%"])(
    "a job named %s is an unknown one",
    async (name) => {
      const encoded = name.startsWith("<") ? encodeURIComponent(name) : name;
      const { status, headers, body } = await dashboard.raw("GET", `/api/jobs/${encoded}`, bearer);

      expect([status, JSON.parse(body).error.code]).toEqual([404, "UNKNOWN_JOB"]);
      expect(headers["content-type"]).toMatch(/^application\/json/);
    },
  );

  test.each(["__proto__", "constructor"])("a backfill named %s is an unknown one", async (id) => {
    expect((await dashboard.get(`/api/backfills/${id}`)).status).toBe(404);
  });
});

describe("headers", () => {
  test("forbid any script but our files, guessing of types, and framing (SE-03)", async () => {
    const { headers } = await dashboard.raw("GET", "/", {});

    expect(headers["content-security-policy"]).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cross-origin-resource-policy": "same-origin",
    });
  });

  test("let nothing of the API be stored, refusals neither", async () => {
    for (const headers of [bearer, {}]) {
      const answer = await dashboard.raw("GET", "/api/jobs", headers);
      expect(answer.headers["cache-control"]).toBe("no-store");
      expect(answer.headers["x-content-type-options"]).toBe("nosniff");
    }
  });

  test("HEAD has those of GET and no body; a method that is not served is answered with those that are", async () => {
    for (const path of ["/", "/api/jobs", "/api/events"]) {
      expect(await dashboard.raw("HEAD", path, bearer)).toMatchObject({ status: 200, body: "" });
    }
    const answer = await dashboard.raw("DELETE", "/api/jobs/nightly", bearer);
    expect([answer.status, answer.headers["allow"]]).toEqual([405, "GET, HEAD"]);
  });

  test("the runner's own APIs on the same port stay as they were", async () => {
    const answer = await dashboard.raw("GET", "/escapement/runner", {});
    expect(answer.status).toBe(200);
    expect(answer.headers["content-security-policy"]).toBeUndefined();
  });
});

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { running } from "./running.ts";
import { tempFolder } from "./temp-folder.ts";

/** Its duration is the tests' measure of time that has passed in real processes. */
const patient = {
  source: "export const handler = ({ ms }) => new Promise((resolve) => { setTimeout(resolve, ms); });",
};
/** Fails once and for all, so that nothing of it comes again. */
const once = {
  Once: { Type: "AWS::Lambda::EventInvokeConfig", Properties: { FunctionName: "fn", MaximumRetryAttempts: 0 } },
};

describe("a sandbox", () => {
  test("is used again, for one invocation at a time", async () => {
    const source = `
      let count = 0;
      let busy = false;
      export const handler = async () => {
        if (busy) console.log("two at once");
        busy = true;
        await new Promise((resolve) => setTimeout(resolve, 20));
        busy = false;
        count += 1;
        console.log("invocation " + count);
      };`;
    const { finish, invoke, heard, lines } = await running({ fn: { source }, patient });
    await finish("fn");
    // It is back for its next invocation a little after it has answered.
    await finish("patient", { ms: 100 });
    await finish("fn");
    expect(lines("fn")).toEqual(["invocation 1", "invocation 2"]);
    const ids = await Promise.all([invoke("fn"), invoke("fn"), invoke("fn"), invoke("fn")]);
    await Promise.all(ids.map((id) => heard("finished", (event) => event.requestId === id)));
    expect(lines("fn")).not.toContain("two at once");
  });

  test("stands still between invocations", async () => {
    const file = join(tempFolder(), "ticks");
    const source = `
      import { appendFileSync } from "node:fs";
      setInterval(() => appendFileSync(${JSON.stringify(file)}, "."), 5);
      export const handler = ({ ms }) => new Promise((resolve) => { setTimeout(resolve, ms); });`;
    const { finish } = await running({ fn: { source }, patient });
    await finish("fn", { ms: 50 });
    await finish("patient", { ms: 1 });
    const ticks = statSync(file).size;
    expect(ticks).toBeGreaterThan(0);
    await finish("patient", { ms: 300 });
    expect(statSync(file).size).toBe(ticks);
  });

  test("is not used again when its handler left a timer running, so that it fires in no other run; a warning says so", async () => {
    const source = `
      let fired = false;
      export const handler = async () => {
        console.log(process.pid + (fired ? " fired" : " quiet"));
        setTimeout(() => { fired = true; console.log("fired"); }, 5_000);
      };`;
    const { finish, heard, lines } = await running({ fn: { source }, patient });
    await finish("fn");
    await heard("warning", ({ message }) => message.startsWith("fn returned with 1 timer(s) still running"));
    await finish("patient", { ms: 100 });
    await finish("fn");
    const printed = lines("fn");
    expect(printed).toEqual([expect.stringMatching(/^\d+ quiet$/), expect.stringMatching(/^\d+ quiet$/)]);
    expect(printed[0]).not.toBe(printed[1]);
  });

  test("is killed at its deadline, also when it is busy, and the next invocation has a new one", async () => {
    const source = `
      export const handler = async ({ hang }) => {
        console.log(process.pid);
        if (hang) for (;;);
      };`;
    const { finish, lines } = await running({ fn: { source, timeoutSeconds: 1 } }, { resources: once });
    const { error, requestId, durationMs } = await finish("fn", { hang: true });
    expect(error).toEqual({
      errorType: "Sandbox.Timedout",
      errorMessage: `RequestId: ${requestId} Error: Task timed out after 1.00 seconds`,
    });
    expect(durationMs).toBeGreaterThanOrEqual(990);
    expect((await finish("fn", { hang: false })).error).toBeUndefined();
    expect(new Set(lines("fn")).size).toBe(2);
  });

  test("LD-11: knows how much time it has left", async () => {
    const source = `
      export const handler = async (_event, context) => {
        const first = context.getRemainingTimeInMillis();
        await new Promise((resolve) => setTimeout(resolve, 500));
        console.log(first <= 3000 && first > 2500, first - context.getRemainingTimeInMillis() >= 490);
      };`;
    const { finish, lines } = await running({ fn: { source, timeoutSeconds: 3 } });
    await finish("fn");
    expect(lines("fn")).toEqual(["true true"]);
  });

  test.each([
    ["process.exit(3)", "Runtime.ExitError", /^RequestId: [-\w]{36} Error: Runtime exited with error: exit status 3$/],
    ["process.exit(0)", "Runtime.ExitError", /exit status 0$/],
    ["setTimeout(() => { throw new RangeError('late') }); await new Promise(() => {})", "RangeError", /^late$/],
    ["Promise.reject(new Error('lost')); await new Promise(() => {})", "Runtime.UnhandledPromiseRejection", /lost/],
    ["throw new TypeError('bad')", "TypeError", /^bad$/],
    ["process.kill(process.pid, 'SIGKILL')", "Runtime.ExitError", /signal: killed$/],
    ["process.abort()", "Runtime.ExitError", /signal: aborted$/],
    ["const a = []; for (;;) a.push(new Array(1e5).fill(a.length))", "Runtime.ExitError", /signal: killed$/],
  ])("TO-04: %s ends the invocation with %s", async (body, errorType, message) => {
    const source = `export const handler = async () => { ${body}; await new Promise((resolve) => setTimeout(resolve, 5000)); };`;
    const { finish } = await running({ fn: { source } }, { resources: once });
    const { error } = await finish("fn");
    expect(error).toMatchObject({ errorType, errorMessage: expect.stringMatching(message) });
  });

  test.each([
    ["throw new Error('at load');", "Error", /^at load$/],
    ["import 'no-such-package';", "Error", /no-such-package/],
    ["export const other = 1;", "Runtime.HandlerNotFound", /index.handler is undefined or not exported/],
    ["process.exit(1);", "Runtime.ExitError", /^Runtime exited with error: exit status 1$/],
  ])("whose code does not load (%s) fails its invocation with %s", async (source, errorType, message) => {
    const { finish } = await running({ fn: { source } }, { resources: once });
    const { error } = await finish("fn");
    expect(error).toMatchObject({ errorType, errorMessage: expect.stringMatching(message) });
  });

  test("leaves a log with Lambda's own lines, below its function's name", async () => {
    const source =
      "export const handler = async (_event, { logStreamName }) => console.log('stream=' + logStreamName);";
    const { finish, lines, runner } = await running({ fn: { source } });
    const { requestId } = await finish("fn");
    const stream = lines("fn")[0]?.replace("stream=", "");
    const log = readFileSync(join(runner.paths.logs, "fn", `${stream}.log`), "utf8").split("\n");
    expect(log).toEqual([
      `START RequestId: ${requestId} Version: $LATEST`,
      `stream=${stream}`,
      `END RequestId: ${requestId}`,
      expect.stringMatching(`^REPORT RequestId: ${requestId} Duration: \\d+ ms$`),
      "",
    ]);
  });
});

test("what a handler prints is told and kept in whole lines, however long, and what it did not end with a line break", async () => {
  const source = `
    export const handler = async () => {
      console.log(JSON.stringify({ text: "x".repeat(300_000) }));
      console.error("y".repeat(100_000));
      process.stdout.write("a");
      process.stdout.write("b");
    };`;
  const { finish, lines, runner } = await running({ fn: { source } });
  await finish("fn");
  const expected = [`{"text":"${"x".repeat(300_000)}"}`, "y".repeat(100_000), "ab"];
  expect(lines("fn").sort()).toEqual(expected.sort());
  const [day] = readdirSync(join(runner.paths.logs, "fn")) as [string];
  const [name] = readdirSync(join(runner.paths.logs, "fn", day)) as [string];
  const log = readFileSync(join(runner.paths.logs, "fn", day, name), "utf8").split("\n");
  expect(log.filter((line) => !/^(START|END|REPORT) |^$/.test(line)).sort()).toEqual(expected.sort());
});

test.each([
  ["process.exit(1)", "Runtime.ExitError"],
  ["process.kill(process.pid, 'SIGKILL')", "Runtime.ExitError"],
  ["for (;;);", "Sandbox.Timedout"],
])("what a handler has printed is kept when its process ends hard: %s", async (end, errorType) => {
  const source = `
    export const handler = async () => {
      for (let line = 1; line <= 3_000; line += 1) console.log(line + " " + "x".repeat(200));
      ${end}
    };`;
  const { finish, lines } = await running({ fn: { source, timeoutSeconds: 1 } }, { resources: once });
  expect((await finish("fn")).error).toMatchObject({ errorType });
  expect(lines("fn").map((line) => Number.parseInt(line, 10))).toEqual(Array.from({ length: 3_000 }, (_, i) => i + 1));
});

describe("the environment of a sandbox", () => {
  test("has the template's variables and Lambda's, and nothing of the shell's but PATH", async () => {
    vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIAREALREALREALREAL");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "real");
    vi.stubEnv("AWS_SESSION_TOKEN", "real");
    vi.stubEnv("AWS_PROFILE", "production");
    vi.stubEnv("AWS_ENDPOINT_URL_SQS", "https://sqs.eu-central-1.amazonaws.com");
    vi.stubEnv("SECRET_OF_THE_SHELL", "real");
    const source = "export const handler = async () => console.log(JSON.stringify(process.env));";
    const environment = { TABLE: "orders", AWS_ACCESS_KEY_ID: "overridden" };
    const { finish, lines, info } = await running({ fn: { source, environment } });
    await finish("fn");
    vi.unstubAllEnvs();
    const seen = JSON.parse(lines("fn")[0] as string) as Record<string, string>;
    expect(JSON.stringify(seen)).not.toMatch(/real|REAL|production/);
    expect(seen).toMatchObject({
      TABLE: "orders",
      PATH: process.env["PATH"],
      AWS_ACCESS_KEY_ID: info.accessKeyId,
      AWS_REGION: "local",
      AWS_LAMBDA_FUNCTION_NAME: "fn",
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: "128",
      AWS_ENDPOINT_URL: "http://127.0.0.1:9",
      AWS_ENDPOINT_URL_DYNAMODB: info.dynamoEndpoint,
      AWS_ENDPOINT_URL_LAMBDA: info.url,
      AWS_EC2_METADATA_DISABLED: "true",
      TZ: ":UTC",
      _X_AMZN_TRACE_ID: expect.stringMatching(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24};Parent=[0-9a-f]{16};Sampled=0$/),
    });
    expect(existsSync(seen["AWS_CONFIG_FILE"] as string)).toBe(true);
    expect(readFileSync(seen["AWS_CONFIG_FILE"] as string, "utf8")).toBe("");
  });
});

// What stands in for Lambda's Node.js runtime in a sandbox: loads the handler, then fetches one invocation after the
// other from the runner over Lambda's Runtime API. Plain JavaScript, since plain Node runs it.
// https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
import { existsSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { moveClock } from "./sandbox-clock.mjs";

const { _HANDLER: handlerName = "", LAMBDA_TASK_ROOT: root = "", AWS_LAMBDA_RUNTIME_API: api } = process.env;
const address = new URL(`http://${api}/2018-06-01/runtime`);

// Lambda writes what is printed at once. Here it goes through a pipe, which Node writes later, and not at all when the
// process ends before.
for (const stream of [process.stdout, process.stderr]) stream._handle?.setBlocking?.(true);

moveClock(Number(process.argv[2]));
let currentRequestId;

process.on("uncaughtException", (error) => void end(error, 129));
process.on("unhandledRejection", (reason) => {
  void end(
    named("Runtime.UnhandledPromiseRejection", reason instanceof Error ? String(reason.stack) : String(reason)),
    128,
  );
});

const handler = await loadHandler().catch((error) => end(error, 1));
for (;;) {
  const { headers, body } = await call("GET", "/invocation/next", undefined, { "Escapement-Timers": runningTimers() });
  currentRequestId = headers["lambda-runtime-aws-request-id"];
  moveClock(Number(headers["escapement-clock-ahead-ms"]));
  process.env._X_AMZN_TRACE_ID = headers["lambda-runtime-trace-id"];
  try {
    const result = await handler(JSON.parse(body), contextOf(headers));
    await call("POST", `/invocation/${currentRequestId}/response`, JSON.stringify(result ?? null));
  } catch (error) {
    logError("Invoke Error", error);
    await call("POST", `/invocation/${currentRequestId}/error`, JSON.stringify(describe(error)));
  }
  currentRequestId = undefined;
}

async function loadHandler() {
  const dot = handlerName.lastIndexOf(".");
  const base = join(root, handlerName.slice(0, dot));
  const file = [".mjs", ".js", ".cjs"].map((extension) => base + extension).find(existsSync);
  if (!file) throw named("Runtime.ImportModuleError", `Cannot find module '${handlerName.slice(0, dot)}' in ${root}`);
  const loaded = await import(pathToFileURL(file).href);
  const found = loaded[handlerName.slice(dot + 1)];
  if (typeof found !== "function")
    throw named("Runtime.HandlerNotFound", `${handlerName} is undefined or not exported`);
  return found;
}

function contextOf(headers) {
  const deadlineMs = Number(headers["lambda-runtime-deadline-ms"]);
  return {
    awsRequestId: currentRequestId,
    invokedFunctionArn: headers["lambda-runtime-invoked-function-arn"],
    functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: process.env.AWS_LAMBDA_FUNCTION_VERSION,
    memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    logGroupName: process.env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: process.env.AWS_LAMBDA_LOG_STREAM_NAME,
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, deadlineMs - Date.now()),
  };
}

/** Timers that the last invocation left running: they would fire in the midst of a later one. */
function runningTimers() {
  return process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;
}

async function end(error, exitCode) {
  logError(currentRequestId ? "Uncaught Exception" : "Init Error", error);
  const path = currentRequestId ? `/invocation/${currentRequestId}/error` : "/init/error";
  await call("POST", path, JSON.stringify(describe(error)));
  process.exit(exitCode);
}

/** One line, as Lambda writes it. */
function logError(what, error) {
  const { errorType, errorMessage, trace } = describe(error);
  const line = JSON.stringify({ errorType, errorMessage, stack: trace });
  console.error([new Date().toISOString(), currentRequestId, "ERROR", what, line].join("\t"));
}

function describe(error) {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: String(error), trace: [] };
  return { errorType: error.name, errorMessage: error.message, trace: error.stack?.split("\n") ?? [] };
}

function named(name, message) {
  return Object.assign(new Error(message), { name });
}

/** One request, one connection: a kept one could be found dead after a long freeze. Without the runner there is no sandbox. */
function call(method, path, body, headers = {}) {
  return new Promise((resolve) => {
    const options = {
      method,
      headers: { ...headers, ...(body && { "Content-Type": "application/json" }) },
      agent: false,
    };
    const sent = request(`${address.href}${path}`, options, (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("error", () => process.exit(1));
      response.on("end", () => resolve({ headers: response.headers, body: Buffer.concat(chunks).toString() }));
    });
    sent.on("error", () => process.exit(1));
    sent.end(body);
  });
}

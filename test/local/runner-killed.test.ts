import { execFileSync, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test, vi } from "vitest";
import { findRunner, type RunnerEvent, type RunnerInfo, startRunner } from "../../lib/local/index.ts";
import { writeAssembly } from "./assembly-fixture.ts";
import { ManualClock } from "./manual-clock.ts";
import { post } from "./running.ts";
import { tempFolder } from "./temp-folder.ts";

const pidLine = "console.log('pid ' + process.pid);";

test("kill -9 of the runner leaves no process behind, and what was under way is delivered again", async () => {
  const stateDir = tempFolder();
  const assemblyDir = writeAssembly({
    waiting: {
      source: `export const handler = () => { ${pidLine} return new Promise(() => setInterval(() => {}, 1000)); };`,
    },
    busy: { source: `export const handler = () => { ${pidLine} for (;;); };` },
    frozen: { source: `export const handler = async () => { ${pidLine} };` },
    parent: {
      source: `
        import { spawn } from "node:child_process";
        export const handler = () => {
          ${pidLine}
          console.log("pid " + spawn("sleep", ["1000"], { stdio: "ignore" }).pid);
          return new Promise(() => setInterval(() => {}, 1000));
        };`,
    },
  });
  const dead = runnerProcess(stateDir, assemblyDir);
  const info = await vi.waitFor(async () => {
    const found = await findRunner(stateDir);
    expect(found).toBeDefined();
    return found as RunnerInfo;
  }, 20_000);
  const waiting = await post(info, "waiting", "{}");
  for (const name of ["busy", "frozen", "parent"]) await post(info, name, "{}");
  await vi.waitFor(() => expect(dead.pids().length).toBe(5), 20_000);
  await dead.heard("finished");
  process.kill(info.pid, "SIGKILL");
  await vi.waitFor(() => expect(dead.pids().filter(isAlive)).toEqual([]), 10_000);
  expect(await findRunner(stateDir)).toBeUndefined();

  const told: RunnerEvent[] = [];
  const clock = new ManualClock(new Date().toISOString());
  const next = await startRunner({ stateDir, assemblyDir, clock, onEvent: (event) => told.push(event) });
  onTestFinished(() => next.abort());
  const again = told.filter((event) => event.kind === "again");
  expect(again.map((event) => `${event.functionName} ${event.why}`).sort()).toEqual([
    "busy runner ended",
    "parent runner ended",
    "waiting runner ended",
  ]);
  const requestId = waiting.headers.get("x-amzn-requestid");
  expect(again.find((event) => event.functionName === "waiting")?.requestId).toBe(requestId);
  await clock.moveTo(new Date(Date.now() + 30_000).toISOString());
  await vi.waitFor(
    () => expect(told).toContainEqual({ kind: "started", functionName: "waiting", requestId, attempt: 2 }),
    10_000,
  );
});

function runnerProcess(stateDir: string, assemblyDir: string) {
  const script = new URL("./runner-process.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, ["--import", "tsx", script, stateDir, assemblyDir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const told: RunnerEvent[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => told.push(JSON.parse(line) as RunnerEvent));
  return {
    heard: (kind: RunnerEvent["kind"]) =>
      vi.waitFor(() => expect(told.map((event) => event.kind)).toContain(kind), 20_000),
    pids: () =>
      told.flatMap((event) =>
        event.kind === "log" && event.line.startsWith("pid ") ? Number(event.line.slice(4)) : [],
      ),
  };
}

/** A process that has ended and that nobody has waited for yet counts as gone. */
function isAlive(pid: number): boolean {
  try {
    return !execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).startsWith("Z");
  } catch {
    return false;
  }
}

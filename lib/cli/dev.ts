import type { Command } from "commander";
import type { Runner } from "../local/index.ts";
import type { JobSummary, Target } from "../operations/index.ts";
import { instantText } from "../operations/instants.ts";
import { addClockOptions } from "./clock-options.ts";
import { commandLine } from "./command-line.ts";
import { signInLink } from "./dashboard-link.ts";
import type { DevDocument } from "./documents.ts";
import { createEventPrinter } from "./event-printer.ts";
import { addFaultOptions, type FaultFlags, faultsOf } from "./fault-options.ts";
import { printJobs } from "./list.ts";
import { openBrowser } from "./open-browser.ts";
import { addCommonOptions, type CommonOptions, wholeNumber } from "./options.ts";
import { paint, printAside, printFields, printJson, printLine } from "./output.ts";
import { runnerSide } from "./runner-side.ts";
import { untilStopped } from "./until-stopped.ts";
import { connect, targetText } from "./with-operations.ts";

interface DevOptions extends CommonOptions, FaultFlags {
  assembly?: string;
  fresh?: true;
  open?: true;
  port?: number;
  now?: number;
  speed?: number;
}

export function addDevCommand(program: Command): void {
  const command = program
    .command("dev")
    .description("run the jobs on this machine, as they would be deployed")
    .option("--assembly <dir>", "run this cloud assembly as it is, instead of synthesizing one")
    .option("--fresh", "forget all state first")
    .option("--open", "open the dashboard in the browser")
    .option("--port <number>", "where the runner answers (default: any free port)", wholeNumber(65_535));
  addClockOptions(command);
  addFaultOptions(command);
  addCommonOptions(command).action(dev);
}

async function dev(options: DevOptions): Promise<void> {
  const { stateDir, assembly, fresh, open, port, now, speed, json } = options;
  const { RunnerClock, startRunner } = await import("../local/index.ts");
  const print = json ? printAside : printLine;
  const clock = new RunnerClock({ ...(now !== undefined && { startMs: now }), ...(speed !== undefined && { speed }) });
  const nowMs = () => clock.nowMs();
  const events = createEventPrinter(
    (line) => print(`${paint.dim(new Date(nowMs()).toISOString().slice(11, 19))} ${line}`),
    nowMs,
  );

  const { nodeFinding } = await import("../operations/doctor.ts");
  const { level, message, advice } = nodeFinding(process.versions.node);
  if (level === "warning") events.take({ kind: "warning", message: `Node ${message}. ${advice}` });
  const runner = await startRunner({
    stateDir,
    ...(assembly !== undefined && { assemblyDir: assembly }),
    ...(fresh !== undefined && { fresh }),
    ...(port !== undefined && { port }),
    clock,
    watch: true,
    faults: faultsOf(options),
    onEvent: events.take,
  });
  // From here on Ctrl-C stops it in good order: before the first line that says so.
  const stopped = untilStopped(runner, print);
  try {
    const operations = await connect({ stateDir, nowMs });
    const { dashboardApp } = await import("../dashboard/index.ts");
    const { lambda: url } = runner.urls;
    runner.serve(dashboardApp({ operations, url, token: runner.token, runner: runnerSide(runner) }));
    const jobs = await operations.list();
    const dashboard = signInLink(url, runner.token);
    if (json) printJson<DevDocument>({ target: operations.target, dashboard, jobs });
    else printStart(jobs, operations.target, dashboard, runner, options);
    if (open) await openBrowser(dashboard);
    events.release(runner.jobs);
    runner.subscribe(({ kind }) => {
      if (kind === "reloaded") events.release(runner.jobs);
    });
    await stopped;
    await operations.close();
  } catch (error) {
    await runner.abort();
    throw error;
  }
}

function printStart(
  jobs: JobSummary[],
  target: Target,
  dashboard: string,
  { urls, paths, faults }: Runner,
  options: DevOptions,
): void {
  printLine(paint.dim(targetText(target)));
  printLine();
  printJobs(jobs, target);
  printLine();
  printFields({
    Dashboard: dashboard,
    State: paths.state,
    Table: urls.dynamo,
    Logs: paths.logs,
    Clock: clockText(options.now, options.speed),
  });
  for (const words of faults) printLine(`${paint.magenta("Fault:")} ${words}`);
  const [first] = jobs;
  if (first) {
    printLine();
    printLine("Run one now, from another terminal:");
    printLine(`  ${paint.bold(commandLine(`trigger ${first.job} --wait`, options))}`);
  }
  printLine("Ctrl-C stops.");
  printLine();
}

/** Nothing where it is the machine's. */
function clockText(now: number | undefined, speed: number | undefined): string | undefined {
  const from = now === undefined ? [] : [`from ${instantText(now)}`];
  const times = speed === undefined ? [] : [`${speed}x while no handler is at work`];
  return [...from, ...times].join(", ") || undefined;
}

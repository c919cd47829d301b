import type { Command } from "commander";
import { eventLine } from "./dev-events.ts";
import { printJobs } from "./list.ts";
import { addCommonOptions, type CommonOptions, wholeNumber } from "./options.ts";
import { paint, printAside, printFields, printJson, printLine } from "./output.ts";
import { untilStopped } from "./until-stopped.ts";
import { withOperations } from "./with-operations.ts";

interface DevOptions extends CommonOptions {
  assembly?: string;
  fresh?: true;
  port?: number;
}

export function addDevCommand(program: Command): void {
  const command = program
    .command("dev")
    .description("run the jobs on this machine, as they would be deployed")
    .option("--assembly <dir>", "run this cloud assembly as it is, instead of synthesizing one")
    .option("--fresh", "forget all state first")
    .option("--port <number>", "where the runner answers (default: any free port)", wholeNumber(65_535));
  addCommonOptions(command).action(dev);
}

async function dev(options: DevOptions): Promise<void> {
  const { stateDir, assembly, fresh, port, json } = options;
  const { startRunner } = await import("../local/index.ts");
  const print = json ? printAside : printLine;
  const jobNames = new Map<string, string>();

  const runner = await startRunner({
    stateDir,
    ...(assembly !== undefined && { assemblyDir: assembly }),
    ...(fresh !== undefined && { fresh }),
    ...(port !== undefined && { port }),
    onEvent: (event) => {
      const line = eventLine(event, (functionName) => jobNames.get(functionName) ?? functionName);
      if (line !== undefined) print(`${paint.dim(new Date().toISOString().slice(11, 19))} ${line}`);
    },
  });
  for (const { functionName, job } of runner.jobs) jobNames.set(functionName, job);

  await withOperations(options, async (operations) => {
    const jobs = await operations.list();
    if (json) {
      printJson({ target: operations.target, jobs });
      return;
    }
    printJobs(jobs);
    printFields({ "State in": stateDir, Table: runner.urls.dynamo, "Logs in": runner.paths.logs });
    const [first] = jobs;
    if (first) printLine(`Run one now, from another terminal: ${paint.bold(`escapement trigger ${first.job} --wait`)}`);
    printLine("Ctrl-C stops.");
  });
  await untilStopped(runner, print);
}

import type { Command } from "commander";
import type { Finding } from "../operations/index.ts";
import type { DoctorDocument } from "./documents.ts";
import { addCommonOptions, type CommonOptions } from "./options.ts";
import { paint, printable, printJson, printLine } from "./output.ts";
import { connect, targetText } from "./with-operations.ts";

const LEVEL_COLORS = { ok: paint.green, warning: paint.yellow, failed: paint.red };

export function addDoctorCommand(program: Command): void {
  const command = program.command("doctor").description("check this machine, its zone data, the runner and the jobs");
  addCommonOptions(command).action(doctor);
}

async function doctor(options: CommonOptions): Promise<void> {
  const { stateDir, stack, json } = options;
  const { diagnose } = await import("../operations/diagnose.ts");
  const { target, findings } = await diagnose(() => connect(options));
  const nothingText = stack
    ? `The stack ${stack} could not be reached`
    : `No state of a local runner could be read in ${stateDir}`;
  const healthy = findings.every((finding) => finding.level !== "failed");
  if (json) {
    printJson<DoctorDocument>({ target, healthy, findings });
  } else {
    printLine(paint.dim(target ? targetText(target) : nothingText));
    for (const finding of findings) printFinding(finding);
  }
  if (!healthy) process.exitCode = 1;
}

function printFinding({ level, check, message, advice }: Finding): void {
  printLine(`${LEVEL_COLORS[level](level.padEnd("warning".length))}  ${check}: ${printable(message)}`);
  if (advice) printLine(`         ${paint.dim(printable(advice))}`);
}

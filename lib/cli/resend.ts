import type { Command } from "commander";
import { OperationError } from "../operations/errors.ts";
import type { Resent } from "../operations/index.ts";
import { confirm } from "./confirm.ts";
import type { ResendDocument } from "./documents.ts";
import { addCommonOptions, addWho, addYes, type CommonOptions, type WhoOptions, type YesOptions } from "./options.ts";
import { printAside, printable, printJson, printLine } from "./output.ts";
import { withOperations } from "./with-operations.ts";

interface ResendOptions extends CommonOptions, WhoOptions, YesOptions {
  all?: true;
  reason?: string;
}

export function addResendCommand(program: Command): void {
  const command = program
    .command("resend")
    .description("start again what failed for good")
    .argument("[id]", "of a dead letter")
    .option("--all", "all of them")
    .option("--reason <text>", "why, kept with each run");
  addCommonOptions(addYes(addWho(command))).action(resend);
}

async function resend(id: string | undefined, options: ResendOptions): Promise<void> {
  const { all, reason, json } = options;
  if ((id === undefined) !== (all === true)) {
    throw new OperationError("INVALID_INPUT", "name one dead letter by its id, or all of them with --all");
  }
  await withOperations(options, async (operations) => {
    if (all && !(await confirm("Start all dead letters again?", options))) {
      printAside("Nothing was done.");
      process.exitCode = 1;
      return;
    }
    const by = options.by ?? (await operations.whoAmI());
    const resent = await operations.resend(id, { by, reason });
    if (json) printJson<ResendDocument>({ target: operations.target, resent });
    else if (resent.length === 0) printLine("There are no dead letters: nothing to do.");
    else resent.forEach(printResent);
    if (resent.some(({ outcome }) => outcome === "failed")) process.exitCode = 1;
  });
}

function printResent({ id, job, runId, outcome, message }: Resent): void {
  const run = `run ${printable(runId)} of ${job}`;
  if (outcome === "failed") printAside(`${printable(id)}: not sent, ${printable(message)}`);
  else if (outcome === "done") printLine(`${printable(id)}: ${run} has ended for good since; removed`);
  else printLine(`${printable(id)}: ${runId === undefined ? "sent" : `${run} is requested`}`);
}

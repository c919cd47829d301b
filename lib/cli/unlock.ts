import type { Command } from "commander";
import type { LockView, Unlocked } from "../operations/index.ts";
import { confirm } from "./confirm.ts";
import { addCommonOptions, addWho, addYes, type CommonOptions, type WhoOptions, type YesOptions } from "./options.ts";
import { paint, printAside, printable, printFields, printJson, printLine } from "./output.ts";
import { timeText } from "./times.ts";
import { withOperations } from "./with-operations.ts";

interface UnlockOptions extends CommonOptions, WhoOptions, YesOptions {
  reason: string;
  owner?: string;
}

export function addUnlockCommand(program: Command): void {
  const command = program
    .command("unlock")
    .description("take a job's lock from its holder, after showing who that is")
    .argument("<job>")
    .requiredOption("--reason <text>", "why, kept with the action")
    .option("--owner <id>", "only if this invocation holds it, as describe shows it");
  addCommonOptions(addYes(addWho(command))).action(unlock);
}

async function unlock(job: string, options: UnlockOptions): Promise<void> {
  const { reason, json } = options;
  await withOperations(options, async (operations) => {
    const { target } = operations;
    const { lock } = await operations.describe(job);
    if (lock && !json) printHolder(job, lock);
    if (lock && options.owner === undefined && !(await confirm(`Take the lock from it?`, options))) {
      printAside("Nothing was done.");
      process.exitCode = 1;
      return;
    }
    const owner = options.owner ?? lock?.owner ?? "nobody";
    const by = options.by ?? (await operations.whoAmI());
    const answer = await operations.unlock(job, { by, reason, owner });
    if (json) printJson({ target, ...answer });
    else printUnlocked(answer, options.owner);
    if (answer.outcome === "conflict") process.exitCode = 1;
  });
}

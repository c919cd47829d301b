import type { Command } from "commander";
import { confirm } from "./confirm.ts";
import type { DiscardDocument } from "./documents.ts";
import { addCommonOptions, addWho, addYes, type CommonOptions, type WhoOptions, type YesOptions } from "./options.ts";
import { printAside, printable, printJson, printLine } from "./output.ts";
import { withOperations } from "./with-operations.ts";

interface DiscardOptions extends CommonOptions, WhoOptions, YesOptions {
  reason: string;
}

export function addDiscardCommand(program: Command): void {
  const command = program
    .command("discard")
    .description("remove a dead letter unsent, for good")
    .argument("<id>", "of a dead letter")
    .requiredOption("--reason <text>", "why, kept with the action where its job is known");
  addCommonOptions(addYes(addWho(command))).action(discard);
}

async function discard(id: string, options: DiscardOptions): Promise<void> {
  const { reason, json } = options;
  await withOperations(options, async (operations) => {
    if (!(await confirm(`Remove the dead letter ${printable(id)} unsent, for good?`, options))) {
      printAside("Nothing was done.");
      process.exitCode = 1;
      return;
    }
    const by = options.by ?? (await operations.whoAmI());
    const discarded = await operations.discard(id, { by, reason });
    if (json) printJson<DiscardDocument>({ target: operations.target, discarded });
    else printLine(`${printable(id)}: removed, not sent`);
  });
}

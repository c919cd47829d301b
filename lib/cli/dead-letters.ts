import type { Command } from "commander";
import type { DeadLetterView } from "../operations/index.ts";
import { commandName } from "./command-name.ts";
import type { DeadLettersDocument } from "./documents.ts";
import { addCommonOptions, type CommonOptions } from "./options.ts";
import { paint, printable, printJson, printLine, printTable } from "./output.ts";
import { timeText } from "./times.ts";
import { withOperations } from "./with-operations.ts";

export function addDeadLettersCommand(program: Command): void {
  const command = program.command("dead-letters").description("list the events that failed for good");
  addCommonOptions(command).action(deadLetters);
}

async function deadLetters(options: CommonOptions): Promise<void> {
  await withOperations(options, async (operations) => {
    const found = await operations.deadLetters();
    if (options.json) printJson<DeadLettersDocument>({ target: operations.target, deadLetters: found });
    else if (found.length === 0) printLine("None.");
    else printLetters(found);
  });
}

function printLetters(letters: readonly DeadLetterView[]): void {
  printTable(
    ["Id", "When", "Job", "Run", "Why"],
    letters.map(({ id, at, job, runId, functionName, condition, error }) => [
      printable(id),
      at === undefined ? "" : timeText(at),
      printable(job ?? functionName ?? ""),
      printable(runId ?? ""),
      printable([condition, error && `${error.name}: ${error.message}`].filter(Boolean).join("; ")),
    ]),
  );
  printLine(
    `Run one again: ${commandName()} resend ${paint.bold("ID")}, or all: resend --all. Remove one unsent: discard ${paint.bold("ID")} --reason …`,
  );
}

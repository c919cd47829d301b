import type { Command } from "commander";
import type { DeadLetterView } from "../operations/index.ts";
import { commandLine } from "./command-line.ts";
import type { DeadLettersDocument } from "./documents.ts";
import { addCommonOptions, type CommonOptions } from "./options.ts";
import { printable, printJson, printLine, printTable } from "./output.ts";
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
    else printLetters(found, options);
  });
}

function printLetters(letters: readonly DeadLetterView[], place: CommonOptions): void {
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
  printLine(`Run one again: ${commandLine("resend ID", place)}`);
  printLine(`All of them: ${commandLine("resend --all", place)}`);
  printLine(`Remove one unsent: ${commandLine('discard ID --reason "…"', place)}`);
}

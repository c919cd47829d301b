import { Argument, type Command } from "commander";
import { printLine } from "../output.ts";
import { candidatesFor } from "./candidates.ts";
import { jobNames } from "./job-names.ts";
import { SCRIPTS, type Shell } from "./scripts.ts";

export function addCompletionCommands(program: Command): void {
  program
    .command("completion")
    .description("print a script that completes this program's commands in a shell")
    .addArgument(new Argument("<shell>").choices(Object.keys(SCRIPTS)))
    .action((shell: Shell) => {
      process.stdout.write(SCRIPTS[shell]);
    });
  program
    .command("complete", { hidden: true })
    .description("what may stand in the place of the last word, for the shells' scripts")
    .argument("[words...]")
    .action(complete);
}

async function complete(words: string[], _options: object, { parent }: Command): Promise<void> {
  if (!parent) return;
  for (const { value, description } of await candidatesFor(parent, words, jobNames))
    printLine(`${value}\t${description}`);
  // A connection that did not answer in time would keep the process.
  process.stdout.write("", () => process.exit());
}

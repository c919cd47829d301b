import { existsSync, readFileSync } from "node:fs";
import type { Command } from "commander";
import { OperationError } from "../operations/errors.ts";
import type { NewDocument } from "./documents.ts";
import { printJson, printLine } from "./output.ts";
import { jobFiles } from "./scaffold/job-files.ts";
import { checkName, writeFiles } from "./scaffold/write-files.ts";

export function addNewCommand(program: Command): void {
  program
    .command("new")
    .description("write a new job and its test into this project")
    .argument("<job>")
    .option("--json", "print one JSON document on stdout and nothing else")
    .action(newJob);
}

function newJob(job: string, { json }: { json?: true }): void {
  checkName("job", job);
  if (!existsSync("functions")) {
    throw new OperationError(
      "INVALID_INPUT",
      "there is no folder functions here; go to the project's, or make one: init DIR",
    );
  }
  const vitest = usesVitest();
  const files = jobFiles(job, { vitest });
  writeFiles(".", files);
  if (json) {
    printJson<NewDocument>({ job, files: Object.keys(files) });
    return;
  }
  for (const path of Object.keys(files)) printLine(`Wrote ${path}`);
  printLine(`Its test: ${vitest ? "npx vitest run" : "node --import tsx --test"} test/${job}.test.ts`);
  printLine("A running npm start takes it over, else the next one does.");
}

function usesVitest(): boolean {
  if (!existsSync("package.json")) return false;
  const { devDependencies = {} } = JSON.parse(readFileSync("package.json", "utf8")) as { devDependencies?: object };
  return "vitest" in devDependencies;
}

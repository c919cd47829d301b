import { basename, resolve } from "node:path";
import type { Command } from "commander";
import type { InitDocument } from "./documents.ts";
import { printJson, printLine } from "./output.ts";
import { FIRST_JOB, projectFiles } from "./scaffold/project-files.ts";
import { checkName, writeFiles } from "./scaffold/write-files.ts";
import { checkoutFolder, packageVersion } from "./version.ts";

export function addInitCommand(program: Command): void {
  program
    .command("init")
    .description("write a whole project: an app, a first job, its test")
    .argument("[dir]", "where, named as the project", ".")
    .option("--json", "print one JSON document on stdout and nothing else")
    .action(init);
}

function init(dir: string, { json }: { json?: true }): void {
  const folder = resolve(dir);
  const name = basename(folder);
  checkName("project", name);
  const version = packageVersion();
  const checkout = checkoutFolder();
  // What is not published is packed into the project.
  const files = projectFiles(name, checkout ? `file:escapement-${version}.tgz` : `^${version}`);
  writeFiles(folder, files);
  if (json) {
    printJson<InitDocument>({ project: name, folder, job: FIRST_JOB, files: Object.keys(files) });
    return;
  }
  printLine(`Wrote ${name} with the job ${FIRST_JOB}. Next:`);
  if (checkout) printLine(`  (cd "${checkout}" && npm pack --silent --pack-destination "${folder}")`);
  printLine(`  ${dir === "." ? "" : `cd ${dir} && `}npm install && npm start`);
}

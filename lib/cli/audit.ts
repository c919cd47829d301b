import type { Command } from "commander";
import type { AuditView } from "../operations/index.ts";
import type { AuditDocument } from "./documents.ts";
import { addCommonOptions, type CommonOptions, wholeNumber } from "./options.ts";
import { printable, printJson, printLine, printTable } from "./output.ts";
import { timeText } from "./times.ts";
import { withOperations } from "./with-operations.ts";

interface AuditOptions extends CommonOptions {
  limit: number;
}

export function addAuditCommand(program: Command): void {
  const command = program
    .command("audit")
    .description("list what operators did to a job, newest first")
    .argument("<job>")
    .option("--limit <number>", "at most so many", wholeNumber(1000), 20);
  addCommonOptions(command).action(audit);
}

async function audit(job: string, options: AuditOptions): Promise<void> {
  const { limit } = options;
  await withOperations(options, async (operations) => {
    const found = await operations.audit(job, { limit });
    if (options.json) printJson<AuditDocument>({ target: operations.target, job, audit: found });
    else if (found.length === 0) printLine("Nothing was done to it, or no longer ago than entries are kept.");
    else printAudit(found);
  });
}

export function printAudit(entries: readonly AuditView[]): void {
  printTable(
    ["When", "Action", "By", "Reason", "What"],
    entries.map(({ at, action, by, reason = "", until, detail = until ? `until ${timeText(until)}` : "" }) => [
      timeText(at),
      action,
      ...[by, reason, detail].map(printable),
    ]),
  );
}

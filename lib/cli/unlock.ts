import type { Command } from "commander";
import type { JobDetail, LockView, Unlocked } from "../operations/index.ts";
import { commandLine, quoted } from "./command-line.ts";
import { confirm } from "./confirm.ts";
import type { UnlockDocument } from "./documents.ts";
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
    const detail = await operations.describe(job);
    const { lock } = detail;
    if (lock && !json) printHolder(detail, lock, options);
    const owner = options.owner ?? lock?.owner;
    if (lock?.owner === owner && lock && !(await confirm("Take the lock from it?", options))) {
      printAside("Nothing was done.");
      process.exitCode = 1;
      return;
    }
    const by = options.by ?? (await operations.whoAmI());
    const answer: Unlocked =
      lock && owner !== undefined
        ? await operations.unlock(job, { by, reason, owner })
        : { job, outcome: "not-locked" };
    if (json) printJson<UnlockDocument>({ target: operations.target, ...answer });
    else printUnlocked(answer);
    if (answer.outcome === "conflict") process.exitCode = 1;
  });
}

function printHolder({ job, retries }: JobDetail, lock: LockView, place: CommonOptions): void {
  const { owner, runId, attempt, since, expiresAt, dead, locks } = lock;
  printLine(`The lock of ${paint.bold(job)} is held:`);
  printFields({
    Run: `${printable(runId)}, attempt ${attempt}`,
    Owner: printable(owner),
    Since: timeText(since),
    "Shared locks": locks && printable(locks.join(", ")),
    "Ends by itself": `${timeText(expiresAt)}${dead ? ", its holder died" : ""}`,
    "If you take it": afterwards(attempt, retries + 1),
    More: commandLine(`run ${job} ${quoted(printable(runId))}`, place),
  });
}

/** An unlock ends the attempt, and not the run. */
function afterwards(attempt: number, attempts: number): string {
  if (attempt >= attempts) return "the run ends as LOST: it has no attempt left";
  return `attempt ${attempt + 1} of ${attempts} of this run starts by itself, as a rule within ten minutes`;
}

function printUnlocked({ job, outcome, lock }: Unlocked): void {
  if (outcome === "not-locked") {
    printLine(`Nobody holds the lock of ${job}: nothing to do.`);
  } else if (outcome === "unlocked") {
    const shared = lock?.locks ? `, and so are the shared ${printable(lock.locks.join(", "))}` : "";
    printLine(`The lock of ${paint.bold(job)} is free${shared}. Run ${printable(lock?.runId)} is recorded as LOST.`);
    printLine(
      "Its code may still be at work: what it writes under its lock is refused, what it does elsewhere is not stopped.",
    );
  } else {
    const stands = lock
      ? `${printable(lock.owner)} holds the lock for run ${printable(lock.runId)}`
      : "the lock is free";
    printAside(`Nothing was done: ${stands}.`);
  }
}

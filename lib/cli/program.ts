import { Command } from "commander";
import { addAuditCommand } from "./audit.ts";
import { addBackfillCommand } from "./backfill.ts";
import { addCancelCommand } from "./cancel.ts";
import { addCompletionCommands } from "./completion/command.ts";
import { addDashboardCommand } from "./dashboard.ts";
import { addDeadLettersCommand } from "./dead-letters.ts";
import { addDescribeCommand } from "./describe.ts";
import { addDevCommand } from "./dev.ts";
import { addDiscardCommand } from "./discard.ts";
import { addDoctorCommand } from "./doctor.ts";
import { addInitCommand } from "./init.ts";
import { addListCommand } from "./list.ts";
import { addLogsCommand } from "./logs.ts";
import { addMissedCommand } from "./missed.ts";
import { addNewCommand } from "./new.ts";
import { addNextCommand } from "./next.ts";
import { printableLines } from "./output.ts";
import { addPauseCommand } from "./pause.ts";
import { addResendCommand } from "./resend.ts";
import { addResumeCommand } from "./resume.ts";
import { addRunCommand } from "./run.ts";
import { addRunsCommand } from "./runs.ts";
import { addTriggerCommand } from "./trigger.ts";
import { addUnlockCommand } from "./unlock.ts";
import { packageVersion } from "./version.ts";

export function createProgram(): Command {
  const program = new Command("escapement")
    .description("Scheduled functions: every occurrence runs once, one at a time, and leaves a record.")
    .version(packageVersion())
    .configureOutput({ outputError: (text, write) => write(printableLines(text)) })
    .showHelpAfterError("(add --help for the usage)")
    .exitOverride();
  addDevCommand(program);
  addDashboardCommand(program);
  addListCommand(program);
  addDescribeCommand(program);
  addNextCommand(program);
  addRunsCommand(program);
  addRunCommand(program);
  addTriggerCommand(program);
  addBackfillCommand(program);
  addMissedCommand(program);
  addPauseCommand(program);
  addResumeCommand(program);
  addCancelCommand(program);
  addUnlockCommand(program);
  addAuditCommand(program);
  addDeadLettersCommand(program);
  addResendCommand(program);
  addDiscardCommand(program);
  addLogsCommand(program);
  addDoctorCommand(program);
  addNewCommand(program);
  addInitCommand(program);
  addCompletionCommands(program);
  return program;
}

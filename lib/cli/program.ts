import { Command } from "commander";
import { addDescribeCommand } from "./describe.ts";
import { addDevCommand } from "./dev.ts";
import { addDoctorCommand } from "./doctor.ts";
import { addListCommand } from "./list.ts";
import { addNextCommand } from "./next.ts";
import { addRunCommand } from "./run.ts";
import { addRunsCommand } from "./runs.ts";
import { addTriggerCommand } from "./trigger.ts";
import { packageVersion } from "./version.ts";

export function createProgram(): Command {
  const program = new Command("escapement")
    .description("Scheduled functions: every occurrence runs once, one at a time, and leaves a record.")
    .version(packageVersion())
    .showHelpAfterError("(add --help for the usage)")
    .exitOverride();
  addDevCommand(program);
  addListCommand(program);
  addDescribeCommand(program);
  addNextCommand(program);
  addRunsCommand(program);
  addRunCommand(program);
  addTriggerCommand(program);
  addDoctorCommand(program);
  return program;
}

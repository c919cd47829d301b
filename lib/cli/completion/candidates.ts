import type { Command, Option } from "commander";

export interface Candidate {
  readonly value: string;
  readonly description: string;
}

/** Reads the names of the jobs that the options typed so far are about. */
export type JobNames = (options: Record<string, unknown>) => Promise<readonly string[]>;

/** Arguments that name a job. */
const JOB_ARGUMENTS = ["job", "job-or-expression"];

/**
 * What may stand in the place of the last word.
 *
 * @param words as the shell has them, without the program's name; the last one is unfinished, or empty
 */
export async function candidatesFor(program: Command, words: readonly string[], jobNames: JobNames) {
  const [name = "", ...rest] = words;
  const command = program.commands.find((one) => one.name() === name);
  if (words.length === 1) return startingWith(name, [...commandsOf(program), ...optionsOf(program)]);
  if (!command) return [];
  const { before, last } = split(rest);
  const option = optionWaiting(command, before);
  if (option) return startingWith(last, valuesOf(option));
  if (last.startsWith("-")) return startingWith(last, optionsOf(command));
  const { operands, options } = parsed(command, before);
  const argument = command.registeredArguments[operands.length];
  if (!argument) return [];
  if (argument.argChoices) return startingWith(last, argument.argChoices.map(plain));
  if (!JOB_ARGUMENTS.includes(argument.name())) return [];
  return startingWith(last, (await jobNames(options)).map(plain));
}

/** Bash gives `--status=FAILED` as three words: the option, the sign and the value, which is what it completes. */
function split(words: readonly string[]): { before: readonly string[]; last: string } {
  const [sign, last = ""] = words.slice(-2);
  if (last === "=") return { before: words.slice(0, -1), last: "" };
  if (sign === "=") return { before: words.slice(0, -2), last };
  return { before: words.slice(0, -1), last };
}

/** The option whose value is to be completed. */
function optionWaiting(command: Command, before: readonly string[]): Option | undefined {
  const word = before.at(-1);
  return command.options.find((option) => takesValue(option) && word !== undefined && option.long === word);
}

function parsed(command: Command, words: readonly string[]) {
  try {
    const { operands } = command.parseOptions(words.filter((word) => word !== "="));
    return { operands, options: command.opts<Record<string, unknown>>() };
  } catch {
    // A value that its option does not take: nobody can say yet what the rest is.
    return { operands: [], options: {} };
  }
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}

function valuesOf({ argChoices = [] }: Option): Candidate[] {
  return argChoices.map(plain);
}

function commandsOf(program: Command): Candidate[] {
  return program
    .createHelp()
    .visibleCommands(program)
    .map((command) => ({ value: command.name(), description: command.description() }));
}

function optionsOf(command: Command): Candidate[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .map(({ long, description }) => ({ value: long ?? "", description }));
}

function plain(value: string): Candidate {
  return { value, description: "" };
}

function startingWith(text: string, candidates: readonly Candidate[]): Candidate[] {
  return candidates.filter(({ value }) => value.startsWith(text));
}

import { createInterface } from "node:readline/promises";
import { OperationError } from "../operations/errors.ts";

/**
 * Asks on the terminal. Without one, `--yes` is the answer given beforehand.
 *
 * @throws OperationError `INVALID_INPUT` without a terminal and without `--yes`
 */
export async function confirm(question: string, options: { yes?: true; json?: true }): Promise<boolean> {
  if (options.yes) return true;
  if (options.json || !process.stdin.isTTY || !process.stderr.isTTY) {
    throw new OperationError("INVALID_INPUT", `${question} Nothing was done: there is nobody to ask; add --yes`);
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} [y/N] `);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}

import Table from "cli-table3";
import colors from "picocolors";

const onTerminal = process.stdout.isTTY === true;
/** Colour only where a terminal is, and not under `NO_COLOR`. */
export const paint = colors.createColors(colors.isColorSupported && onTerminal);

export function printLine(text = ""): void {
  process.stdout.write(`${text}\n`);
}

/** What is no result: progress, reasons, hints. Never mixes with what a pipe reads. */
export function printAside(text: string): void {
  process.stderr.write(`${text}\n`);
}

export function printWarning({ code, message }: { code: string; message: string }): void {
  printAside(`${paint.yellow("warning:")} ${message} (${code})`);
}

/** The one document of a `--json` command. */
export function printJson(document: unknown): void {
  printLine(JSON.stringify(document, null, 2));
}

/** A bordered table on a terminal; bare columns, one line a row, in a pipe. */
export function printTable(head: string[], rows: string[][]): void {
  printLine(onTerminal ? borderedTable(head, rows) : plainTable(head, rows));
}

/** Aligned `name  value` lines; absent values are left out. */
export function printFields(fields: Record<string, string | undefined>): void {
  const present = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined);
  const width = Math.max(...present.map(([name]) => name.length));
  for (const [name, value] of present) {
    const indented = value.replaceAll("\n", `\n${" ".repeat(width + 2)}`);
    printLine(`${paint.dim(name.padEnd(width))}  ${indented}`);
  }
}

/** A reader that has seen enough, such as `head`, is no failure. */
export function quietBrokenPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      process.exit();
    });
  }
}

function borderedTable(head: string[], rows: string[][]): string {
  const table = new Table({ head: head.map((title) => paint.bold(title)), style: { head: [], border: [] } });
  table.push(...rows);
  return table.toString();
}

function plainTable(head: string[], rows: string[][]): string {
  const nothing = "";
  const table = new Table({
    head,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 2 },
    chars: Object.fromEntries(BORDERS.map((border) => [border, nothing])),
  });
  table.push(...rows.map((row) => row.map((cell) => cell.replaceAll("\n", "  "))));
  return table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

const BORDERS = [
  ...["top", "top-mid", "top-left", "top-right", "bottom", "bottom-mid", "bottom-left", "bottom-right"],
  ...["left", "left-mid", "mid", "mid-mid", "right", "right-mid", "middle"],
] as const;

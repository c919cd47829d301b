import Table from "cli-table3";
import colors from "picocolors";
import { printable, printableLines } from "../operations/printable.ts";

export { printable, printableLines };

export const onTerminal = process.stdout.isTTY === true;
/** Colour only where a terminal is, and not under `NO_COLOR`. */
export const paint = colors.createColors(colors.isColorSupported && onTerminal);

export function printLine(text = ""): void {
  process.stdout.write(`${text}\n`);
}

/** The same below the line of something: they are indented, so that none passes for a line of its own. */
export function printableBlock(text: string): string {
  return printableLines(text).replaceAll("\n", "\n  ");
}

/** What is no result: progress, reasons, hints. Never mixes with what a pipe reads. */
export function printAside(text: string): void {
  process.stderr.write(`${text}\n`);
}

export function printWarning({ code, message }: { code: string; message: string }): void {
  printAside(`${paint.yellow("warning:")} ${printable(message)} (${code})`);
}

/** Of the terminal, from its first line on. */
export function clearScreen(): void {
  process.stdout.write("\x1b[2J\x1b[H");
}

/** The one document of a `--json` command: its type is in `documents.ts`. */
export function printJson<Document extends object>(document: Document): void {
  printLine(JSON.stringify(document, null, 2));
}

/** For a terminal, see `terminalTable`; bare columns, one line a row, in a pipe. A tab would shift what follows it. */
export function printTable(head: string[], rows: string[][]): void {
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll("\t", "\\t")));
  printLine(onTerminal ? terminalTable(head, cells, process.stdout.columns) : plainTable(head, cells));
}

/**
 * A bordered table. Where that is wider than the terminal its last column is wrapped, if that is prose; if that does not
 * do either, each row is a block of `name  value` lines.
 */
export function terminalTable(head: string[], rows: string[][], columns: number): string {
  const table = borderedTable(head, rows);
  const border = table.slice(0, table.indexOf("\n"));
  const excess = border.length - columns;
  if (excess <= 0) return table;
  const lastWidth = border.length - border.lastIndexOf("┬") - 2 - excess;
  if (lastWidth >= narrowestProse(rows)) return borderedTable(head, rows, lastWidth);
  return rows.map((row) => block(head, row)).join("\n\n");
}

/** Aligned `name  value` lines; absent values are left out. */
export function printFields(fields: Record<string, string | undefined>): void {
  printLine(fieldLines(Object.entries(fields)));
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

function fieldLines(fields: [string, string | undefined][]): string {
  const present = fields.filter((field): field is [string, string] => field[1] !== undefined);
  const width = Math.max(...present.map(([name]) => name.length));
  return present
    .map(([name, value]) => `${paint.dim(name.padEnd(width))}  ${value.replaceAll("\n", `\n${" ".repeat(width + 2)}`)}`)
    .join("\n");
}

/** The empty lines and cells of a row only keep the columns of a table level. */
function block(head: string[], row: string[]): string {
  const filled = row.map((cell) => cell.split("\n").filter(Boolean).join("\n"));
  return fieldLines(head.map((name, column) => [name, filled[column] || undefined]));
}

/** In columns: narrower it would be a ladder of words, or cut one off. */
function narrowestProse(rows: string[][]): number {
  const words = rows.flatMap((row) => (row.at(-1) ?? "").split(/\s/));
  return Math.max(40, ...words.map((word) => word.length + 2));
}

function borderedTable(head: string[], rows: string[][], lastWidth: number | null = null): string {
  const table = new Table({
    head: head.map((title) => paint.bold(title)),
    style: { head: [], border: [] },
    colWidths: head.map((_, column) => (column === head.length - 1 ? lastWidth : null)),
    wordWrap: true,
  });
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

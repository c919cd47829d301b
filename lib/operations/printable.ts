export { printable, printableLines } from "../schedule/index.ts";

import { relative } from "node:path";

/** How to call this program from the current folder. */
export function commandName(): string {
  const script = relative(".", process.argv[1] ?? "");
  return script.endsWith(".ts") ? `npx tsx ${script}` : "npx escapement";
}

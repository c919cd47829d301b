import { relative } from "node:path";
import { type CommonOptions, DEFAULT_STATE_DIR } from "./options.ts";

/** What a command acts on, as its caller has said it. */
export type Place = Pick<CommonOptions, "stateDir" | "stack" | "region" | "profile">;

/** A command to paste into a shell in the current folder; it acts on what this one acts on. */
export function commandLine(words: string, { stateDir, stack, region, profile }: Place): string {
  const folder = stateDir === DEFAULT_STATE_DIR ? undefined : stateDir;
  const place = Object.entries({ "--state-dir": folder, "--stack": stack, "--region": region, "--profile": profile });
  const given = place.flatMap(([option, value]) => (value === undefined ? [] : [option, quoted(value)]));
  return [programName(), words, ...given].join(" ");
}

/** The text as one word of a shell: in single quotes only where double ones would change it. */
export function quoted(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return /[$`"\\!]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`;
}

function programName(): string {
  const script = relative(".", process.argv[1] ?? "");
  return script.endsWith(".ts") ? `npx tsx ${script}` : "npx escapement";
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readHistory } from "./history.ts";
import { JOBS } from "./jobs.ts";
import { MUTANTS } from "./mutants.ts";
import { excerpt, summary } from "./report.ts";
import { historyFile, runChaos } from "./world.ts";

// npm run test:chaos -- [--minutes N] [--seed S] [--jobs a,b] [--mutant NAME]

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    jobs: { type: "string", default: Object.keys(JOBS).join(",") },
    mutant: { type: "string" },
  },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed);
const jobs = values.jobs.split(",");
const { mutant } = values;
if (!(minutes > 0)) refuse(`--minutes is ${values.minutes}. Allowed: a number above 0.`);
if (!Number.isSafeInteger(seed)) refuse(`--seed is ${values.seed}. Allowed: a whole number.`);
const stranger = jobs.find((job) => !(job in JOBS));
if (stranger !== undefined) refuse(`--jobs names ${stranger}. There are: ${Object.keys(JOBS).join(", ")}.`);
if (mutant !== undefined && !(mutant in MUTANTS)) {
  refuse(`--mutant is "${mutant}". There are: ${Object.keys(MUTANTS).join("; ")}.`);
}

const broken = mutant === undefined ? "" : `, with a protocol that ${mutant}`;
console.log(`Chaos for ${minutes} minutes, seed ${seed}, jobs ${jobs.join(", ")}${broken}`);
let progress: NodeJS.Timeout | undefined;
const dir = mkdtempSync(join(tmpdir(), "escapement-chaos-"));
const file = historyFile(dir);
const { violations, history } = await runChaos({
  seed,
  dir,
  lastsMs: (speed) => minutes * 60_000 * speed,
  jobs,
  mutant,
  onStart(speed) {
    console.log(`Time runs ${speed.toFixed(1)} times as fast; the history is in ${file}`);
    progress = setInterval(() => console.log(counts(readHistory(file))), 30_000);
  },
});
clearInterval(progress);
console.log(counts(history));
if (violations.length === 0) {
  console.log("Nothing was broken.");
  rmSync(dir, { recursive: true });
} else {
  const [first = ""] = violations;
  console.error(["", ...excerpt(history, first).map((entry) => JSON.stringify(entry))].join("\n"));
  console.error(["", `${violations.length} violations:`, ...violations.slice(0, 20)].join("\n"));
  const again = `npm run test:chaos -- --seed ${seed} --minutes ${minutes} --jobs ${jobs.join(",")}`;
  console.error(`\nThe whole history: ${file}\nThe same plan once more: ${again}`);
  process.exitCode = 1;
}

function counts(entries: Parameters<typeof summary>[0]): string {
  return Object.entries(summary(entries))
    .map(([what, count]) => `${count} ${what}`)
    .join(", ");
}

function refuse(problem: string): never {
  console.error(problem);
  process.exit(2);
}

import { cpus } from "node:os";
import { CronExpressionParser } from "cron-parser";
import { Cron } from "croner";
import { Bench } from "tinybench";
import { nextOccurrence, parseSchedule } from "../lib/schedule/index.ts";

/**
 * The schedule engine beside croner and cron-parser, in one process, on expressions that all three can read.
 * `npm run bench:schedule` prints the tables of docs/benchmarks.md.
 */

interface Expression {
  readonly escapement: string;
  /** The same in the Unix form. */
  readonly unix: string;
}

const EXPRESSIONS: readonly Expression[] = [
  { escapement: "cron(30 2 * * ? *)", unix: "30 2 * * *" },
  { escapement: "cron(0/15 8-17 ? * MON-FRI *)", unix: "*/15 8-17 * * MON-FRI" },
  { escapement: "cron(0 0 29 2 ? *)", unix: "0 0 29 2 *" },
];
const FROM = new Date("2026-05-01T00:00:00Z");

console.log(
  `Node ${process.version}, zone data ${process.versions["tz"]}, ${cpus()[0]?.model.trim()}, ${cpus().length} cores\n`,
);
for (const expression of EXPRESSIONS) {
  for (const timeZone of ["Europe/Berlin", "UTC"]) await report(nextBench(expression, timeZone));
  await report(parseBench(expression, "Europe/Berlin"));
}
manySchedules();
farAndNear();

function nextBench({ escapement, unix }: Expression, timeZone: string): Bench {
  const ours = parseSchedule({ expression: escapement, timeZone });
  const croner = new Cron(unix, { timezone: timeZone });
  const cronParser = CronExpressionParser.parse(unix, { tz: timeZone });
  const bench = new Bench({ name: `next: ${escapement}, ${timeZone}`, time: 500 });
  bench.add("escapement", () => void nextOccurrence(ours, FROM.getTime()));
  bench.add("croner", () => void croner.nextRun(FROM));
  bench.add("cron-parser", () => {
    cronParser.reset(FROM);
    cronParser.next();
  });
  if (timeZone === "UTC") {
    // croner has a faster way to UTC than its time zones.
    const offsetCroner = new Cron(unix, { utcOffset: 0 });
    bench.add("croner, utcOffset 0", () => void offsetCroner.nextRun(FROM));
  }
  return bench;
}

function parseBench({ escapement, unix }: Expression, timeZone: string): Bench {
  const bench = new Bench({ name: `parse: ${escapement}, ${timeZone}`, time: 500 });
  bench.add("escapement", () => void parseSchedule({ expression: escapement, timeZone }));
  bench.add("croner", () => void new Cron(unix, { timezone: timeZone }));
  bench.add("croner, no zone", () => void new Cron(unix));
  bench.add("cron-parser", () => void CronExpressionParser.parse(unix, { tz: timeZone, currentDate: FROM }));
  return bench;
}

async function report(bench: Bench): Promise<void> {
  await bench.run();
  const rates = bench.tasks.map((task) => ({
    name: task.name,
    perSecond: "throughput" in task.result ? task.result.throughput.mean : 0,
  }));
  const ours = rates[0]?.perSecond ?? 0;
  console.log(bench.name);
  for (const { name, perSecond } of rates) {
    const times = name === "escapement" ? "" : `  escapement is ${(ours / perSecond).toFixed(1)} times as fast`;
    console.log(
      `  ${name.padEnd(20)} ${Math.round(perSecond).toLocaleString("en-US").padStart(12)} per second${times}`,
    );
  }
}

/** Mixed expressions in mixed zones: each schedule is different from its neighbours, and the zones are not known beforehand. */
function manySchedules(): void {
  const zones = Intl.supportedValuesOf("timeZone").filter((_, i) => i % 14 === 0);
  const inputs = Array.from({ length: 100_000 }, (_, i) => ({
    expression: mixedExpression(i),
    timeZone: zones[i % zones.length] as string,
  }));
  const parseMs = elapsedMs(() => inputs.map((input) => parseSchedule(input)));
  const schedules = inputs.map((input) => parseSchedule(input));
  const nextMs = elapsedMs(() => schedules.map((schedule) => nextOccurrence(schedule, FROM.getTime())));
  console.log(
    `100,000 schedules in ${zones.length} zones: parse ${parseMs.toFixed(0)} ms, next ${nextMs.toFixed(0)} ms`,
  );
}

function mixedExpression(i: number): string {
  const [minute, hour, day] = [i % 60, i % 24, (i % 28) + 1];
  const forms = [
    `cron(${minute} ${hour} * * ? *)`,
    `cron(${minute}/15 * * * ? *)`,
    `cron(${minute} ${hour} ? * MON-FRI *)`,
    `cron(${minute} ${hour} ${day}W * ? *)`,
    `cron(${minute} ${hour} L * ? *)`,
    `cron(${minute} ${hour} ? * ${(i % 7) + 1}#5 *)`,
    `cron(${minute} ${hour} 29 2 ? *)`,
    `cron(${minute} ${hour} ? * 6L 2026-2030)`,
  ];
  return forms[i % forms.length] as string;
}

/** 29 February 2096 against tomorrow: the distance costs nothing. */
function farAndNear(): void {
  for (const expression of ["cron(0 0 29 2 ? 2096)", "cron(0 0 * * ? *)"]) {
    const schedule = parseSchedule({ expression, timeZone: "Europe/Berlin" });
    const rounds = 200_000;
    const ms = elapsedMs(() => {
      for (let i = 0; i < rounds; i++) nextOccurrence(schedule, FROM.getTime());
    });
    console.log(`${expression}: ${((ms / rounds) * 1e6).toFixed(0)} ns`);
  }
}

function elapsedMs(work: () => unknown): number {
  const startMs = performance.now();
  work();
  return performance.now() - startMs;
}

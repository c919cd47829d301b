import { readFileSync } from "node:fs";

export interface Expression {
  readonly expression: string;
  readonly timeZone: string;
}

export interface Accepted extends Expression {
  /** What the template says instead. */
  readonly emitted?: Expression;
}

const inUtc = (expression: string): Expression => ({ expression, timeZone: "UTC" });
const inZone = (timeZone: string): Expression => ({ expression: "cron(0 2 * * ? *)", timeZone });

/** What Scheduler refuses at deployment, or what we refuse because nobody has seen it accepted. */
export const refused: readonly Expression[] = [
  // CG-01: the number of fields.
  ...["cron(0 12 * * ?)", "cron(*/5 * * * *)", "cron(0 0 12 * * ? *)", "cron()", "cron(INVALID)"],
  // CG-02: both day fields, and neither.
  ...[
    "cron(7 20 * * 1-7 *)",
    "cron(34 12 * * SAT *)",
    "cron(0 1 * * * *)",
    "cron(0 12 1 * MON *)",
    "cron(0 12 ? * ? *)",
  ],
  // CG-05, CG-06: rates.
  ...["rate(1 min)", "rate( 5 minutes )", " rate(5 minutes)", "rate(10 minutess)", "rate()"],
  ...["rate(-5 minutes)", "rate(0 minutes)", "rate(1.5 hours)", "rate(10 seconds)", "cron(0 50 0,6,12,18 * ? *)"],
  // CG-08: weekdays.
  ...["cron(0 12 ? * 0 *)", "cron(0 12 ? * 8 *)"],
  // CG-14: a date that is none.
  ...["at(2026-02-30T12:00:00)"],
  // CG-17: the question mark.
  ...["cron(0/5 8-17 ? * MON-FRI ?)", "cron(? 8 * * ? *)", "cron(0 ? * * ? *)", "cron(0 8 * ? ? *)"],
]
  .map(inUtc)
  // TZ-12.
  .concat(["Europe/Berln", "GMT+2", "UTC+1", "", "Local"].map(inZone));

const vectors: readonly { readonly expression: string; readonly timezone: string }[] = JSON.parse(
  readFileSync(new URL("../schedule/vectors.json", import.meta.url), "utf8"),
);

/** The recorded vectors of the engine, and what the cases name besides. */
export const accepted: readonly Accepted[] = [
  ...vectors.map(({ expression, timezone }) => ({ expression, timeZone: timezone })),
  // CG-02, CG-03, CG-05, CG-08, CG-13, CG-14.
  ...[
    "cron(0 12 ? * MON *)",
    "cron(0 12 1 * ? *)",
    "cron(0 18 ? * MON-FRI *)",
    "rate(1 minute)",
    "rate(5 minutes)",
  ].map(inUtc),
  ...["cron(0 12 ? * 2 *)", "cron(45 5 ? * 7 *)", "cron(0 8 ? * 1 *)", "cron(0/45 * * * ? *)"].map(inUtc),
  ...["cron(1/10 * * * ? *)", "cron(0 0/5 * * ? *)", "cron(0 0 29 2 ? *)", "at(2030-02-01T15:00:00)"].map(inUtc),
  // CG-14: with a warning, for they never fire.
  ...["cron(0 0 30 2 ? *)", "cron(0 0 31 4,6,9,11 ? *)"].map(inUtc),
  // CG-05.
  { ...inUtc("rate(1 minutes)"), emitted: inUtc("rate(1 minute)") },
  { ...inUtc("rate(5 minute)"), emitted: inUtc("rate(5 minutes)") },
  { ...inUtc("rate(5 MINUTES)"), emitted: inUtc("rate(5 minutes)") },
  // TZ-12: its case, and names that were in use.
  { ...inZone("europe/berlin"), emitted: inZone("Europe/Berlin") },
  ...["Asia/Calcutta", "US/Eastern"].map(inZone),
];

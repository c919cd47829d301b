import type { RunRecord } from "../../run/index.ts";

/** What one run of a job takes, judged by those that ended. */
export interface Pace {
  readonly typicalMs: number;
  readonly longestMs: number;
}

/** Prices of us-east-1, September 2026, in US dollars: Lambda on arm64 with 256 MB, three writes to the table. */
const PRICE = { gigabyteSecond: 0.0000133334, request: 0.0000002, write: 0.000000625 };
const GIGABYTES = 0.25;
const WRITES_PER_RUN = 3;
const SAMPLE = 20;

/** Of a job that never ended a run nothing is known but its time-out; of a lost attempt not when it ended. */
export function paceOf(records: readonly RunRecord[], timeoutMs: number): Pace {
  const durations = records
    .flatMap(({ attempts }) => attempts.filter(({ status }) => status !== "LOST"))
    .map(({ startedMs, endedMs }) => endedMs - startedMs)
    .slice(0, SAMPLE)
    .sort((one, other) => one - other);
  const typicalMs = durations[Math.floor(durations.length / 2)] ?? timeoutMs;
  return { typicalMs, longestMs: durations.at(-1) ?? timeoutMs };
}

export function costDollars(runs: number, { typicalMs }: Pace): number {
  const each = (typicalMs / 1000) * GIGABYTES * PRICE.gigabyteSecond + PRICE.request + WRITES_PER_RUN * PRICE.write;
  return runs * each;
}

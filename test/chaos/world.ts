import { join } from "node:path";
import { DEFAULTS } from "../../lib/lambda/options.ts";
import { createRunStore } from "../../lib/store/index.ts";
import { localClient } from "../local/ledger.ts";
import { randomFrom } from "../simulation/random.ts";
import { bundleHost } from "./bundle-host.ts";
import { type Rule, violations } from "./checker.ts";
import { readEnding } from "./ending.ts";
import { appendTo, type Entry, readHistory } from "./history.ts";
import { FLEET, Host, TABLE } from "./hosts.ts";
import { JOBS } from "./jobs.ts";
import { occurrences, startOf } from "./occurrences.ts";
import { openTable } from "./open-table.ts";
import { operator } from "./operator.ts";
import { Platform } from "./platform.ts";
import { FaultyProxy, OPERATOR } from "./proxy.ts";
import { type WarpedTime, warpedMs } from "./warped-time.ts";

export interface ChaosOptions {
  readonly seed: number;
  /** An empty folder for the table, the history and the hosts' logs. */
  readonly dir: string;
  /** For how long there are new occurrences, in warped time; what is under way then comes to its end. */
  readonly lastsMs: (speed: number) => number;
  readonly jobs: readonly string[];
  readonly mutant?: string | undefined;
  readonly onStart?: (speed: number) => void;
}

export interface Outcome {
  readonly violations: readonly string[];
  readonly history: readonly Entry[];
}

/** Time runs so many times as fast as the machine's: less where the machine is slow, or busy with something else. */
const MAX_SPEED = 4;
/** What it takes at most to prepare a world where that speed is right. */
const QUICK_MS = 1_000;
/**
 * Clocks are wrong by up to so much, this way or that; the table's is ahead. It leaves a part of the tolerance of 5 seconds
 * to the machine, which may be late at everything.
 */
const MAX_SKEW_MS = 3_500;
const TABLE_SKEW_MS = 2_000;

/**
 * The shipped middleware in processes that are killed, on a real table behind a proxy that loses, delays and refuses
 * requests. The seed decides what is planned; how it meets is up to the machine.
 */
export async function runChaos(options: ChaosOptions): Promise<Outcome> {
  const { seed, dir, lastsMs, jobs, mutant = "", onStart } = options;
  const random = randomFrom(seed);
  const history = historyFile(dir);
  const note = appendTo(history);

  const preparedMs = performance.now();
  const [file, table] = await Promise.all([bundleHost(dir), openTable(join(dir, "table"))]);
  const slowness = Math.max(1, (performance.now() - preparedMs) / QUICK_MS);
  const time: WarpedTime = { epochMs: Date.now(), speed: Math.max(1, MAX_SPEED / slowness) };
  onStart?.(time.speed);

  const kill = (host: number) => platform.kill(host);
  const target = table.endpoint;
  const accept = (event: unknown) => platform.deliver(startOf(event), 0);
  const proxy = new FaultyProxy({ target, time, tableSkewMs: TABLE_SKEW_MS, random, note, accept, kill });
  await proxy.open();
  let hosts = 0;
  const startHost = (job: string) => {
    const id = ++hosts;
    const skewMs = random.upTo(2 * MAX_SKEW_MS) - MAX_SKEW_MS;
    const environment = { job, time, skewMs, historyFile: history, mutant };
    return new Host({ id, file, logFile: join(dir, "hosts.log"), endpoint: proxy.endpointFor(id), environment });
  };
  const platform = new Platform({ time, random, note, startHost });
  const operatorClient = localClient(proxy.endpointFor(OPERATOR));
  const store = createRunStore({ client: operatorClient, tableName: TABLE, fleet: FLEET, clock: () => warpedMs(time) });
  try {
    await Promise.all(jobs.map((job) => platform.warmUp(job, 2)));
    proxy.begin();
    const around = { time, random, store, platform, untilMs: warpedMs(time) + lastsMs(time.speed) };
    await Promise.all(jobs.flatMap((job) => [occurrences(job, around), operator(job, around)]));
    proxy.end();
    await platform.drain();
    const told = readHistory(history);
    const ending = await readEnding(table.client);
    return { violations: violations(told, ending, ruleOf), history: told };
  } finally {
    platform.close();
    operatorClient.destroy();
    proxy.close();
    table.close();
  }
}

function ruleOf(job: string): Rule {
  const { alone = "job", options } = JOBS[job] ?? {};
  return { alone, locks: options?.locks ?? [], queueLength: options?.queueLength ?? DEFAULTS.queueLength };
}

export function historyFile(dir: string): string {
  return join(dir, "history.jsonl");
}

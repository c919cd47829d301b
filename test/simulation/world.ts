import { jobPartition } from "../../lib/store/keys.ts";
import { checkChange, checkEnd, checkLastSuccess, checkReason, checkTurn } from "./invariants.ts";
import { Operators } from "./operators.ts";
import { JOBS, planOf, T0 } from "./plan.ts";
import { Platform } from "./platform.ts";
import { randomFrom } from "./random.ts";
import { Referee } from "./referee.ts";
import { Running } from "./running.ts";
import { Watchdog } from "./watchdog.ts";
import { FLEET, type Mutate, type Time, Wire } from "./wire.ts";

export interface WorldOptions {
  readonly seed: number;
  /** Of occurrences, hours apart. @default 1 */
  readonly bursts?: number;
  /** A change of the conditions, to see that the checks bite. */
  readonly mutate?: Mutate;
}

/** How many handlers ran, and how many of them after they had waited for their turn. */
export interface Simulated {
  readonly handlers: number;
  readonly turns: number;
}

/**
 * Two jobs in bad times, some of whose runs need the same locks: duplicates, retries, crashes, lost replies, clocks that
 * are off, requests that land long after their process was killed. Throws a `Violation` as soon as an invariant is broken.
 */
export function simulate({ seed, bursts = 1, mutate = (request) => request }: WorldOptions): Simulated {
  const random = randomFrom(seed);
  const plan = planOf(random, bursts);
  const time: Time = { nowMs: T0 };
  const referee = new Referee(time);
  const wire = new Wire(random, time, mutate, (before, after) => {
    checkChange(before, after, referee.started);
    const takesTurns = JOBS.filter((job) =>
      plan.deployedAt(job, time.nowMs).every(({ overlap }) => overlap === "queue"),
    );
    if (takesTurns.some((job) => after["pk"] === jobPartition(FLEET, job))) checkTurn(before, after);
  });
  const platform = new Platform(plan, random, time, wire, referee);
  const operators = new Operators(random, time, wire, referee, platform);
  const watchdog = new Watchdog(random, time, wire, platform);
  const running = new Running(random, time, wire, platform, referee);

  while (!platform.isOver()) {
    platform.pass();
    operators.move();
    watchdog.move();
    wire.landSome();
    platform.look();
    const ready = platform.ready();
    if (ready.length > 0) running.move(random.pick(ready));
  }
  wire.landAll();
  for (const { first } of plan.planned) {
    const { job, runId } = first;
    const isDeadLettered = platform.journeys.some(
      (journey) => journey.first.runId === runId && journey.end === "dead-lettered",
    );
    checkEnd(runId, wire.recordOf(job, runId), isDeadLettered, referee.started);
  }
  for (const job of JOBS) {
    const settings = plan.deployedAt(job, time.nowMs);
    const records = wire.recordsOf(job, T0);
    // With allow, or under a policy that was replaced, the counts on the state are as good as their luck.
    const isExact = bursts === 1 && settings.every(({ overlap }) => overlap !== "allow");
    if (isExact) checkLastSuccess(wire.stateOf(job), records);
    records.forEach(checkReason);
  }
  return { handlers: referee.handlers, turns: running.turns };
}

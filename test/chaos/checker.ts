import type { Entry } from "./history.ts";

/** What the tables hold when all is quiet. */
export interface Ending {
  readonly records: readonly { readonly job: string; readonly runId: string; status: string; fence: number }[];
  /** The runs that wait for a lock: the watchdog starts the first of those that nobody else does. */
  readonly waiting: readonly { readonly job: string; readonly runId: string }[];
  /** The lists of effects, each in the order in which the table took them. */
  readonly effects: readonly {
    readonly job: string;
    readonly kind: string;
    readonly list: readonly { readonly runId: string; readonly fence: number }[];
  }[];
}

/** Which handlers must not be at work together. */
export interface Rule {
  /** Those of the job, or only those of one and the same run. */
  readonly alone: "job" | "run";
  /** And those of every other job that names one of these. */
  readonly locks: readonly string[];
  /** How many of its runs may wait. */
  readonly queueLength: number;
}
type RuleOf = (job: string) => Rule;

type Start = Extract<Entry, { kind: "start" }>;

const FINAL = ["SUCCEEDED", "CANCELLED", "SKIPPED"];
/** A handler that stood still for longer could not know that its time was up (docs/protocol.md, limit 7). */
const STANDSTILL_MS = 1_500;

/** Every way in which a history breaks what the protocol promises, each in a line. */
export function violations(history: readonly Entry[], ending: Ending, ruleOf: RuleOf): string[] {
  return [
    ...overlaps(history, ruleOf),
    ...startsAfterSuccess(history),
    ...fences(history, ruleOf),
    ...changesOfFinalRecords(history, ending),
    ...effectsOfOthers(ending),
    ...commitsNotOnce(history, ending),
    ...stepsDoneAgain(history),
    ...vanished(history, ending),
    ...skipsWithoutReason(history, ruleOf),
    ...skippedThoughStarted(history, ending),
  ];
}

/** I1: a handler that is seen at work after another one started, and that had its time until then. */
function overlaps(history: readonly Entry[], ruleOf: RuleOf): string[] {
  const found: string[] = [];
  /** Each handler, and those that started beside it since. */
  const beside = new Map<string, { readonly start: Start; lastMs: number; others: Start[] }>();
  for (const entry of history) {
    if (entry.kind === "start") {
      for (const { start, others } of beside.values()) if (exclude(start, entry, ruleOf)) others.push(entry);
      beside.set(entry.invocation, { start: entry, lastMs: entry.atMs, others: [] });
    }
    if (entry.kind !== "at-work" && entry.kind !== "end") continue;
    const handler = beside.get(entry.invocation);
    if (!handler) continue;
    const stoodStill = entry.atMs - handler.lastMs > STANDSTILL_MS;
    handler.lastMs = entry.atMs;
    // What is left of a process after its deadline is the platform's, here the test's, lateness.
    if (!stoodStill && entry.atMs <= handler.start.deadlineMs) {
      for (const other of handler.others) found.push(`I1: ${nameOf(other)} started beside ${nameOf(handler.start)}`);
      handler.others = [];
    }
    if (entry.kind === "end") beside.delete(entry.invocation);
  }
  return found;
}

function exclude(one: Start, other: Start, ruleOf: RuleOf): boolean {
  const { alone, locks } = ruleOf(one.job);
  if (one.job !== other.job) return locks.some((lock) => ruleOf(other.job).locks.includes(lock));
  return alone === "job" || one.runId === other.runId;
}

/** I2 */
function startsAfterSuccess(history: readonly Entry[]): string[] {
  const succeeded = new Set<string>();
  const found: string[] = [];
  for (const entry of history) {
    if (entry.kind === "recorded" && entry.status === "SUCCEEDED") succeeded.add(runOf(entry));
    if (entry.kind === "start" && succeeded.has(runOf(entry))) {
      found.push(`I2: ${nameOf(entry)} started though its run had SUCCEEDED`);
    }
  }
  return found;
}

/** I3: of a job, or without a lock of a run. */
function fences(history: readonly Entry[], ruleOf: RuleOf): string[] {
  const newest = new Map<string, number>();
  const found: string[] = [];
  for (const entry of history) {
    if (entry.kind !== "start") continue;
    const scope = ruleOf(entry.job).alone === "job" ? entry.job : runOf(entry);
    const before = newest.get(scope) ?? 0;
    if (entry.fence <= before) found.push(`I3: ${nameOf(entry)} has fencing token ${entry.fence} after ${before}`);
    newest.set(scope, Math.max(before, entry.fence));
  }
  return found;
}

/** I5 */
function changesOfFinalRecords(history: readonly Entry[], { records }: Ending): string[] {
  const standing = new Map(records.map((record) => [runOf(record), record]));
  const found: string[] = [];
  for (const entry of history) {
    if (entry.kind !== "recorded" || !FINAL.includes(entry.status)) continue;
    const record = standing.get(runOf(entry));
    if (record?.status === entry.status && record.fence === entry.fence) continue;
    found.push(
      `I5: ${runOf(entry)} was ${entry.status} at ${entry.fence} and is ${record?.status} at ${record?.fence}`,
    );
  }
  return found;
}

/** I4: in every list the fencing tokens only grow. */
function effectsOfOthers({ effects }: Ending): string[] {
  return effects.flatMap(({ job, kind, list }) =>
    list.flatMap(({ runId, fence }, at) => {
      const before = list[at - 1]?.fence ?? 0;
      return fence < before ? [`I4: ${job} ${runId} ${kind} at ${fence} after ${before}`] : [];
    }),
  );
}

/** Effects that were committed are there once where the run SUCCEEDED, and else not at all. */
function commitsNotOnce(history: readonly Entry[], { records, effects }: Ending): string[] {
  const times = new Map<string, number>();
  for (const { job, kind, list } of effects) {
    if (kind !== "committed") continue;
    for (const { runId } of list) times.set(runOf({ job, runId }), (times.get(runOf({ job, runId })) ?? 0) + 1);
  }
  const succeeded = new Set(records.filter(({ status }) => status === "SUCCEEDED").map(runOf));
  const committing = history.flatMap((entry) => (entry.kind === "delivered" && entry.commits ? [runOf(entry)] : []));
  return [...new Set([...committing, ...times.keys()])].flatMap((run) => {
    const wanted = succeeded.has(run) ? 1 : 0;
    const there = times.get(run) ?? 0;
    return there === wanted ? [] : [`commit: the effects of ${run} are there ${there} times instead of ${wanted}`];
  });
}

/** A step whose result was kept is not done again, by whichever attempt. */
function stepsDoneAgain(history: readonly Entry[]): string[] {
  const kept = new Set<string>();
  return history.flatMap((entry) => {
    if (entry.kind === "step kept") kept.add(runOf(entry));
    const isAgain = entry.kind === "step" && kept.has(runOf(entry));
    return isAgain ? [`step: ${entry.invocation} did a step of ${entry.runId} that was kept`] : [];
  });
}

/** I6: what was delivered is final, or waits for its turn, or a dead letter of it is left. */
function vanished(history: readonly Entry[], { records, waiting }: Ending): string[] {
  const waits = new Set(waiting.map(runOf));
  const final = new Set(records.filter(({ status }) => FINAL.includes(status)).map(runOf));
  const deadLettered = new Set(history.flatMap((entry) => (entry.kind === "dead-lettered" ? [runOf(entry)] : [])));
  const delivered = new Set(history.flatMap((entry) => (entry.kind === "delivered" ? [runOf(entry)] : [])));
  return [...delivered]
    .filter((run) => !final.has(run) && !waits.has(run) && !deadLettered.has(run))
    .map((run) => `I6: ${run} vanished: it is ${records.find((record) => runOf(record) === run)?.status}`);
}

/** I7: whoever is said to have held a lock held it at some time of the invocation that says so; else the queue was full. */
function skipsWithoutReason(history: readonly Entry[], ruleOf: RuleOf): string[] {
  const found: string[] = [];
  const reasons = new Map<string, readonly string[]>();
  /** Each invocation under way, and what was in whose way since it began. */
  const underWay = new Map<string, { readonly job: string; readonly seen: Set<string> }>();
  for (const entry of history) {
    if (entry.kind === "invoked") {
      underWay.set(entry.invocation, { job: entry.job, seen: new Set([...reasons.values()].flat()) });
    }
    if (entry.kind === "state") {
      const { job, holder, waiting = 0 } = entry;
      const isFull = waiting > 0 && waiting >= ruleOf(job).queueLength;
      const now = [`${job}: ${holder}`, ...(isFull ? [`${job}: full`] : [])];
      reasons.set(job, now);
      for (const { seen } of underWay.values()) for (const reason of now) seen.add(reason);
    }
    if (entry.kind !== "answered") continue;
    const { job = "", seen } = underWay.get(entry.invocation) ?? {};
    underWay.delete(entry.invocation);
    const { answer } = entry;
    if (answer.outcome !== "skipped" || answer.reason !== "overlap") continue;
    const lock = answer.sharedLock ? `lock ${answer.sharedLock.name}` : job;
    const { heldBy = "full" } = answer;
    if (!seen?.has(`${lock}: ${heldBy}`))
      found.push(`I7: ${entry.invocation} skipped for ${heldBy}, which did not hold the lock`);
  }
  return found;
}

/** I8 */
function skippedThoughStarted(history: readonly Entry[], { records }: Ending): string[] {
  const skipped = new Set(records.filter(({ status }) => status === "SKIPPED").map(runOf));
  return history.flatMap((entry) =>
    entry.kind === "start" && skipped.has(runOf(entry)) ? [`I8: ${nameOf(entry)} started and is SKIPPED`] : [],
  );
}

function runOf({ job, runId }: { readonly job: string; readonly runId: string }): string {
  return `${job} ${runId}`;
}

function nameOf(start: Start): string {
  return `${start.invocation} (${start.runId}, attempt ${start.attempt})`;
}

import type { Hold } from "../../lib/run/index.ts";
import { type Key, lockKey, runKey, stateKey } from "../../lib/store/keys.ts";
import { checkEnd, checkLock, checkStart, checkToken, Violation } from "../simulation/invariants.ts";
import { AT_WORK } from "./deadlines.ts";
import type { Stored } from "./effects.ts";
import type { Places } from "./places.ts";
import type { Process } from "./process.ts";
import { FLEET, jobOf, runsOf, type Scope } from "./scope.ts";
import type { Journey, World } from "./world.ts";

/** Holds a scope's worlds against the invariants. Each check throws a `Violation` where one is broken. */
export class Checks {
  readonly #scope: Scope;
  readonly #places: Places;
  readonly #runs: readonly string[];
  readonly #startedSets = new Map<number, ReadonlySet<string>>();

  constructor(scope: Scope, places: Places) {
    this.#scope = scope;
    this.#places = places;
    this.#runs = runsOf(scope);
  }

  /** Alone in its job, and of all that name a lock of it; with each of these in its hands. By `allow`: alone in its run. */
  start({ items, journeys }: World, { index, delivery }: Process, { fencingToken, steps }: Hold): void {
    const { job, owner, runId, locks = [], overlap } = delivery;
    const isAlike = ({ delivery: other }: Process) =>
      other.runId === runId ||
      (other.job === job && overlap !== "allow" && other.overlap !== "allow") ||
      other.locks?.some((lock) => locks.includes(lock));
    const atWork = journeys.find(
      (other) => "phase" in other && other.index !== index && AT_WORK.includes(other.phase) && isAlike(other),
    );
    const itemAt = (key: Key) => items[this.#places.of(key)]?.value;
    const record = itemAt(runKey(FLEET, job, runId));
    checkStart(
      { owner, runId, fencingToken, steps: steps.length },
      overlap === "allow" ? record : itemAt(stateKey(FLEET, job)),
      record,
      atWork && "phase" in atWork ? atWork.delivery.runId : undefined,
    );
    for (const lock of locks) checkLock(runId, owner, itemAt(lockKey(FLEET, lock)));
    checkToken(runId, fencingToken, [...tokensAtWork(journeys, job), ...tokensOnRecord(items, job)]);
  }

  /** Where nothing is under way any more. */
  ends({ journeys, items, started }: World): void {
    const { arrivals, crashes, strays, toggles } = this.#scope;
    for (const arrival of arrivals) {
      const { runId } = arrival;
      const isDeadLettered = journeys.some(
        (journey, index) =>
          "end" in journey &&
          journey.end === "dead-lettered" &&
          (journey.run === undefined ? arrivals[index]?.runId : this.#runs[journey.run]) === runId,
      );
      const record = items[this.#places.of(runKey(FLEET, jobOf(arrival), runId))]?.value;
      checkEnd(runId, record, isDeadLettered, this.startedSet(started));
    }
    const isGood = (journey: Journey) => "end" in journey && (journey.end === "acknowledged" || journey.end === "idle");
    const isCalm = crashes === 0 && strays === 0 && toggles === 0 && journeys.every(isGood);
    if (isCalm && started === 0) throw new Violation("L1: all were skipped, and nothing was in their way");
  }

  /** The runs of which a handler was at work. */
  startedSet(started: number): ReadonlySet<string> {
    const known = this.#startedSets.get(started) ?? new Set(this.#runs.filter((_runId, run) => started & (1 << run)));
    this.#startedSets.set(started, known);
    return known;
  }
}

function tokensAtWork(journeys: readonly Journey[], job: string) {
  return journeys.flatMap((journey) => {
    if (!("phase" in journey) || !journey.hold || journey.delivery.job !== job) return [];
    return [{ runId: journey.delivery.runId, fencingToken: journey.hold.fencingToken }];
  });
}

/** Of those whose own runs have written them. */
function tokensOnRecord(items: readonly Stored[], job: string) {
  const told = ["RUNNING", "SUCCEEDED", "FAILED", "TIMED_OUT"];
  const records = items.filter(({ value }) => value?.["job"] === job && told.includes(String(value["status"])));
  return records.map(({ value }) => ({ runId: String(value?.["runId"]), fencingToken: Number(value?.["fence"]) }));
}

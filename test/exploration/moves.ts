import {
  type Begun,
  type Finished,
  type Hold,
  isFinal,
  type QueueEntry,
  type Renewed,
  type Stepped,
} from "../../lib/run/index.ts";
import { stateKey } from "../../lib/store/keys.ts";
import type { Item } from "../../lib/store/request.ts";
import { isPaused, Violation } from "../simulation/invariants.ts";
import { Checks } from "./checks.ts";
import { isDue, isGone, mustStop } from "./deadlines.ts";
import { Effects, type Stored } from "./effects.ts";
import { Invocations } from "./invocations.ts";
import { Places } from "./places.ts";
import { type Mutant, type Process, Processes } from "./process.ts";
import { FLEET, JOB, jobOf, runsOf, type Scope, TICK_MS, timeOf } from "./scope.ts";
import { answered, deadLettered, freeSlot, headOf, isStart, NO_STARTS, nextOf, sent, type Waits } from "./starts.ts";
import { ACKNOWLEDGED, DEAD_LETTERED, type Journey, TOLD, type Waiting, type World, waiting } from "./world.ts";

const CANCELLED = ["CANCELLED"] as const;

/** The moves of a scope's worlds. */
export class Moves {
  readonly scope: Scope;
  readonly processes: Processes;
  readonly effects: Effects;
  readonly #runs: readonly string[];
  readonly #invocations: Invocations;
  readonly #places: Places;
  readonly #checks: Checks;

  constructor(scope: Scope, mutant: Mutant = {}) {
    this.scope = scope;
    this.processes = new Processes(mutant);
    this.effects = new Effects(this.processes, mutant, scope.overlap === "queue");
    this.#runs = runsOf(scope);
    this.#invocations = new Invocations(scope, this.processes);
    this.#places = new Places(scope);
    this.#checks = new Checks(scope, this.#places);
  }

  first(): World {
    const { crashes, strays, toggles, cancels, misdeliveries, arrivals, overlap } = this.scope;
    const budgets = { crashes, strays, toggles, cancels, misdeliveries };
    const items = this.#places.first.map((item) => this.effects.items.intern(item));
    const journeys = [...arrivals.map(() => waiting(0)), ...(overlap === "queue" ? NO_STARTS : [])];
    return { tick: 0, ...budgets, started: 0, items, journeys, underway: [], step: "start" };
  }

  /** Every world that can come next. Throws a `Violation` where an invariant is broken. */
  next(world: World): World[] {
    const worlds: World[] = [];
    world.journeys.forEach((journey, index) => {
      if (!("phase" in journey)) this.#invoke(world, journey, index, worlds);
      else this.#advance(world, journey, worlds);
    });
    const isOver = world.journeys.every((journey) => "end" in journey);
    const lines = world.items.filter(({ value }) => headOf(value) !== undefined);
    if (!isOver) this.#pass(world, worlds);
    else if (lines.length === 0) this.#checks.ends(world);
    else for (const { value } of lines) worlds.push(...this.#rescued(world, value));
    for (const stray of world.underway) worlds.push(this.#land(world, stray));
    if (world.toggles > 0 && !isOver) worlds.push(this.#toggle(world));
    return worlds;
  }

  /** Time passes, and ends the processes whose deadline it was. */
  #pass(world: World, worlds: World[]): void {
    const isIdle = world.journeys.every((journey) => !("phase" in journey));
    if (isIdle && world.tick >= this.scope.lastTick) return;
    const journeys = world.journeys.map((journey) =>
      "phase" in journey && isGone(journey, world.tick) ? this.#failed(journey) : journey,
    );
    worlds.push({ ...world, tick: world.tick + 1, journeys, before: world, step: "a tick passes", by: undefined });
  }

  #invoke(world: World, journey: Waiting, index: number, worlds: World[]): void {
    const { tick } = world;
    const [from, to] = this.scope.arrivals[index]?.ticks ?? [0, this.scope.lastTick];
    const isInTime = tick <= this.scope.lastTick && (journey.nth > 0 || (from <= tick && tick <= to));
    if (journey.end || !(isInTime || journey.run !== undefined)) return;
    for (const process of this.#invocations.at(index, journey, tick))
      worlds.push(replaced(world, index, process, {}, "is invoked", process));
  }

  #advance(world: World, process: Process, worlds: World[]): void {
    const { index, hold, request } = process;
    const move = (next: Journey, change: Partial<World>, step: string) =>
      worlds.push(replaced(world, index, next, change, step, process));

    if (request) this.#send(world, process, worlds);
    if (process.phase === "handler" && hold) {
      if (hold.steps.length < this.scope.steps) move(this.processes.stepping(process, hold), {}, "finishes a step");
      if (isDue(process, world.tick)) move(this.processes.beating(process, hold, world.tick), {}, "renews its lease");
      if (world.cancels > 0) {
        const underway = sorted([...world.underway, this.processes.asking(process)]);
        move(process, { underway, cancels: world.cancels - 1 }, "an operator asks it to stop");
      }
      for (const outcome of process.isCancelled ? CANCELLED : this.scope.outcomes) {
        const isTimeout = outcome === "TIMED_OUT";
        const next = isTimeout
          ? this.processes.timingOut(process, hold)
          : this.processes.finishing(process, hold, outcome);
        move(next, {}, outcome);
      }
    }
    if (process.phase === "waiting" && world.tick > process.tick) {
      for (const look of this.#invocations.again(process, world.tick)) move(look, {}, "looks again");
    }
    if (world.crashes > 0) move(this.#failed(process), { crashes: world.crashes - 1 }, "crashes");
    const isWrite = request?.kind === "put" || request?.kind === "update";
    if (isWrite && world.strays > 0 && !world.underway.includes(process)) {
      const underway = sorted([...world.underway, process]);
      move(process, { strays: world.strays - 1, underway }, "has no reply, so it sends again");
    }
  }

  #send(world: World, process: Process, worlds: World[]): void {
    const changed = this.#applied(world, process);
    for (const next of this.effects.next(process, this.#target(world, process), world.tick)) {
      for (const { journey, change, step } of this.#answered({ ...world, ...changed }, next)) {
        const after = replaced(world, process.index, journey, { ...changed, ...change }, step, process);
        worlds.push(...(next.command ? [after] : this.#withStart(after, nextOf(next.result))));
      }
    }
  }

  /** Whoever ends sends the start of the run whose turn it is: that can be lost, or delivered twice. */
  #withStart(world: World, next: QueueEntry | undefined): World[] {
    if (!next) return [world];
    const started = this.#started(world, next.runId);
    const misdeliveries = world.misdeliveries - 1;
    if (misdeliveries < 0) return started;
    const lost = { ...world, misdeliveries, step: `${world.step}; the start is lost` };
    const twice = started.flatMap((once) => this.#started({ ...once, misdeliveries }, next.runId));
    return [...started, lost, ...twice];
  }

  #started(world: World, runId: string): World[] {
    const slot = freeSlot(world, this.scope.arrivals.length);
    if (slot === undefined) return [];
    const journeys = world.journeys.slice();
    journeys[slot] = sent(this.#runs.indexOf(runId));
    return [{ ...world, journeys, step: `${world.step}; starts ${runId}` }];
  }

  /**
   * Nothing is under way and somebody waits: after a fault, or for another job, the watchdog starts the head, when nobody
   * can be at work. Time passes from look to look, so that what is in the way of one has ended before some later one.
   */
  #rescued(world: World, state: Item | undefined): World[] {
    const { crashes, strays, misdeliveries, journeys } = world;
    const head = headOf(state);
    if (!head) return [];
    const isFaultless =
      crashes === this.scope.crashes && strays === this.scope.strays && misdeliveries === this.scope.misdeliveries;
    const hasFailed = journeys.some((journey) => "end" in journey && journey.end === "dead-lettered");
    const isStranded = isFaultless && !hasFailed && !this.#waitsForAnotherJob(head);
    if (isStranded) throw new Violation(`I6: ${head.runId} waits, and nobody will start it`);
    const { expiresAt } = (state?.["lease"] ?? {}) as { expiresAt?: string };
    const isBusy = expiresAt !== undefined && Date.parse(expiresAt) + TICK_MS >= timeOf(world.tick);
    const look = { ...world, tick: world.tick + 1, before: world, by: undefined };
    if (isBusy) return [{ ...look, step: "a tick passes" }];
    return this.#started({ ...look, step: "the watchdog looks" }, head.runId);
  }

  /** It had its turn, and a shared lock was held. */
  #waitsForAnotherJob({ runId, heldBy }: Waits): boolean {
    const jobs = this.scope.arrivals.filter((one) => one.runId === runId || one.runId === heldBy).map(jobOf);
    return new Set(jobs).size > 1;
  }

  /** What follows at once from the reply. */
  #answered(world: World, process: Process): { journey: Journey; change?: Partial<World>; step: string }[] {
    if (process.command) return [{ journey: process, step: "goes on" }];
    const { hold, phase } = process;
    if (phase === "begin") return [this.#begun(world, process, process.result as Begun)];
    if (phase === "finish") return [this.#ended(process)];
    if (!hold) throw new TypeError(`a ${phase} without a hold`);
    if (phase === "beat") {
      const renewed = process.result as Renewed;
      return [{ journey: this.processes.beaten(process, hold, renewed), step: `beat: ${renewed.kind}` }];
    }
    if (phase === "step") return [this.#stepped(process, hold, process.result as Stepped)];
    const stopped = this.processes.stopped(process, hold, process.result as Finished);
    return [
      { journey: this.processes.stuck(process), step: "recorded the time-out; its handler does not stop" },
      { journey: stopped, step: "recorded the time-out; its handler stopped" },
    ];
  }

  #begun(world: World, process: Process, begun: Begun) {
    if (["duplicate", "skipped", "queued"].includes(begun.kind))
      return { journey: acknowledged(process), step: begun.kind };
    if (begun.kind === "wait") return { journey: this.processes.waitingFor(process), step: "waits" };
    if (begun.kind !== "held") return { journey: this.#failed(process), step: begun.kind };
    // Nobody could confirm its lease in time.
    if (mustStop(process, begun.hold, world.tick))
      return { journey: this.processes.finishing(process, begun.hold, "FAILED"), step: "starts no handler" };
    this.#checks.start(world, process, begun.hold);
    const run = this.#runs.indexOf(process.delivery.runId);
    const change = { started: world.started | (1 << run) };
    return { journey: this.processes.handling(process, begun.hold), change, step: "starts its handler" };
  }

  #stepped(process: Process, hold: Hold, { recorded }: Stepped) {
    return recorded
      ? { journey: this.processes.handling(process, hold), step: "remembers the step" }
      : { journey: this.processes.finishing(process, hold, "FAILED"), step: "has lost its run, so it stops" };
  }

  #ended(process: Process) {
    const result = process.result as Finished | QueueEntry | undefined;
    // Of a time-out only the second half is left, which returns who is next.
    const finished = result && "recorded" in result ? result : undefined;
    const isKnown = finished?.recorded || (finished?.found && isFinal(finished.found.status));
    const isDone = isKnown && (process.outcome === "SUCCEEDED" || process.outcome === "CANCELLED");
    return isDone
      ? { journey: acknowledged(process), step: `has ${process.outcome}` }
      : { journey: this.#failed(process), step: "failed" };
  }

  /** The platform delivers it again, unless it has done so often enough. */
  #failed(process: Process): Waiting {
    const { index, nth, delivery } = process;
    if (isStart(process)) return deadLettered(this.#runs.indexOf(delivery.runId));
    if (!delivery.redelivered) return TOLD;
    return nth < (this.scope.arrivals[index]?.tries ?? 0) ? waiting(nth) : DEAD_LETTERED;
  }

  #land(world: World, stray: Process): World {
    const underway = world.underway.filter((other) => other !== stray);
    return { ...world, ...this.#applied(world, stray), underway, before: world, step: "a copy lands", by: stray };
  }

  #applied(world: World, process: Process): Partial<World> {
    const target = this.#target(world, process);
    const after = this.effects.after(process, target, world.started, (started) => this.#checks.startedSet(started));
    if (after === target) return {};
    const place = this.#places.ofRequest(process);
    return { items: world.items.map((item, at) => (at === place ? after : item)) };
  }

  #target(world: World, process: Process): Stored {
    if (process.request?.kind === "query") return this.effects.newest(process, world.items);
    return world.items[this.#places.ofRequest(process)] as Stored;
  }

  #toggle(world: World): World {
    const place = this.#places.of(stateKey(FLEET, JOB));
    const { paused, ...rest } = (world.items[place] as Stored).value as Item;
    const pause = { by: "alice", reason: "maintenance", at: "2026-03-02T02:00:00.000Z" };
    const isResumed = isPaused({ paused });
    const state = this.effects.items.intern(isResumed ? rest : { ...rest, paused: pause });
    const step = isResumed ? "the job is resumed" : "the job is paused";
    const items = world.items.map((item, at) => (at === place ? state : item));
    return { ...world, items, toggles: world.toggles - 1, before: world, step, by: undefined };
  }
}

function acknowledged(process: Process): Waiting {
  return isStart(process) ? answered() : ACKNOWLEDGED;
}

function replaced(
  world: World,
  index: number,
  next: Journey,
  change: Partial<World>,
  step: string,
  by: Journey,
): World {
  const journeys = world.journeys.slice();
  journeys[index] = next;
  return { ...world, ...change, journeys, before: world, step, by };
}

function sorted(processes: Process[]): readonly Process[] {
  return processes.sort((one, other) => one.id - other.id);
}

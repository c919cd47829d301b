import type { Begun, Finished, Hold, QueueEntry, Stepped } from "../../lib/run/index.ts";
import { runKey, stateKey } from "../../lib/store/keys.ts";
import type { Item } from "../../lib/store/request.ts";
import { checkEnd, checkStart, Violation } from "../simulation/invariants.ts";
import { Effects, type Stored } from "./effects.ts";
import { FLEET, type Mutant, type Process, Processes } from "./process.ts";
import { invocationOf, JOB, runsOf, type Scope, startOf, TICK_MS, timeOf } from "./scope.ts";
import { answered, deadLettered, freeSlot, headOf, isStart, NO_STARTS, nextOf, sent, startName } from "./starts.ts";
import { ACKNOWLEDGED, DEAD_LETTERED, type Journey, TOLD, type Waiting, type World, waiting } from "./world.ts";

/** The handler is at work, or may be: a time-out has not stopped it yet. */
const AT_WORK: readonly string[] = ["handler", "step", "timing-out", "stuck"] satisfies Process["phase"][];

/** The moves of a scope's worlds. */
export class Moves {
  readonly scope: Scope;
  readonly processes: Processes;
  readonly effects: Effects;
  readonly #runs: readonly string[];
  readonly #invocations = new Map<string, readonly Process[]>();
  /** By process: the run whose record its request is about, below zero for the state. */
  readonly #targets: (number | undefined)[] = [];
  readonly #startedSets = new Map<number, ReadonlySet<string>>();

  constructor(scope: Scope, mutant: Mutant = {}) {
    this.scope = scope;
    this.processes = new Processes(mutant);
    this.effects = new Effects(this.processes, mutant, scope.overlap === "queue");
    this.#runs = runsOf(scope);
  }

  /** A job that has run before: its fence does not have to be seeded. */
  first(): World {
    const { crashes, strays, toggles, misdeliveries, arrivals, overlap } = this.scope;
    const none = this.effects.items.intern(undefined);
    const state = this.effects.items.intern({ ...stateKey(FLEET, JOB), v: 1, fence: 1, consecutiveFailures: 0 });
    const budgets = { crashes, strays, toggles, misdeliveries };
    const items = { state, records: this.#runs.map(() => none) };
    const journeys = [...arrivals.map(() => waiting(0)), ...(overlap === "queue" ? NO_STARTS : [])];
    return { tick: 0, ...budgets, started: 0, ...items, journeys, underway: [], step: "start" };
  }

  /** Every world that can come next. Throws a `Violation` where an invariant is broken. */
  next(world: World): World[] {
    const worlds: World[] = [];
    world.journeys.forEach((journey, index) => {
      if (!("phase" in journey)) this.#invoke(world, journey, index, worlds);
      else this.#advance(world, journey, worlds);
    });
    const isOver = world.journeys.every((journey) => "end" in journey);
    const head = headOf(world.state.value);
    if (isOver && head !== undefined) worlds.push(...this.#rescued(world, head));
    else if (isOver) this.#checkEnds(world);
    else this.#pass(world, worlds);
    for (const stray of world.underway) worlds.push(this.#land(world, stray));
    if (world.toggles > 0 && !isOver) worlds.push(this.#toggle(world));
    return worlds;
  }

  /** Time passes, and ends the processes whose deadline it was. */
  #pass(world: World, worlds: World[]): void {
    const isIdle = world.journeys.every((journey) => !("phase" in journey));
    if (isIdle && world.tick >= this.scope.lastTick) return;
    const nowMs = timeOf(world.tick);
    const journeys = world.journeys.map((journey) =>
      "phase" in journey && journey.delivery.leaseExpiresAtMs <= nowMs ? this.#failed(journey) : journey,
    );
    worlds.push({ ...world, tick: world.tick + 1, journeys, before: world, step: "a tick passes", by: undefined });
  }

  #invoke(world: World, journey: Waiting, index: number, worlds: World[]): void {
    const { tick } = world;
    if (journey.end || (tick > this.scope.lastTick && journey.run === undefined)) return;
    for (const process of this.#invoked(index, journey, tick))
      worlds.push(replaced(world, index, process, {}, "is invoked", process));
  }

  /** One process for each reading of the clock that makes a difference. */
  #invoked(index: number, { nth: before, run }: Waiting, tick: number): readonly Process[] {
    const nth = before + 1;
    const key = `${index} ${nth} ${run} ${tick}`;
    const known = this.#invocations.get(key);
    if (known) return known;
    const invoked = new Set<Process>();
    for (const skewTicks of [0, 1, -1]) {
      const receivedMs = timeOf(tick) + skewTicks * TICK_MS;
      const runId = run === undefined ? undefined : this.#runs[run];
      const delivery =
        runId === undefined
          ? invocationOf(this.scope, index, nth, tick, receivedMs)
          : startOf(this.scope, runId, startName(index), tick, receivedMs);
      const { lateAfterMs } = delivery;
      const isLate = lateAfterMs !== undefined && lateAfterMs < receivedMs;
      invoked.add(this.processes.invoked(index, nth, delivery, isLate ? "late" : "in time"));
    }
    const processes = [...invoked];
    this.#invocations.set(key, processes);
    return processes;
  }

  #advance(world: World, process: Process, worlds: World[]): void {
    const { index, hold, request } = process;
    const move = (next: Journey, change: Partial<World>, step: string) =>
      worlds.push(replaced(world, index, next, change, step, process));

    if (request) this.#send(world, process, worlds);
    if (process.phase === "handler" && hold) {
      if (hold.steps.length < this.scope.steps) move(this.processes.stepping(process, hold), {}, "finishes a step");
      for (const outcome of this.scope.outcomes) {
        const isTimeout = outcome === "TIMED_OUT";
        const next = isTimeout
          ? this.processes.timingOut(process, hold)
          : this.processes.finishing(process, hold, outcome);
        move(next, {}, outcome);
      }
    }
    if (world.crashes > 0) move(this.#failed(process), { crashes: world.crashes - 1 }, "crashes");
    const isWrite = request?.kind === "put" || request?.kind === "update";
    if (isWrite && world.strays > 0 && !world.underway.includes(process)) {
      const underway = [...world.underway, process].sort((one, other) => one.id - other.id);
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

  /** Nothing is under way and somebody waits: after a fault the watchdog starts the head, when nobody can be at work. */
  #rescued(world: World, head: string): World[] {
    const { crashes, strays, misdeliveries, journeys } = world;
    const isFaultless =
      crashes === this.scope.crashes && strays === this.scope.strays && misdeliveries === this.scope.misdeliveries;
    const hasFailed = journeys.some((journey) => "end" in journey && journey.end === "dead-lettered");
    if (isFaultless && !hasFailed) throw new Violation(`I6: ${head} waits, and nobody will start it`);
    const { expiresAt } = (world.state.value?.["lease"] ?? {}) as { expiresAt?: string };
    const isBusy = expiresAt !== undefined && Date.parse(expiresAt) + TICK_MS >= timeOf(world.tick);
    const look = { ...world, before: world, by: undefined };
    if (isBusy) return [{ ...look, tick: world.tick + 1, step: "a tick passes" }];
    return this.#started({ ...look, step: "the watchdog looks" }, head);
  }

  /** What follows at once from the reply. */
  #answered(world: World, process: Process): { journey: Journey; change?: Partial<World>; step: string }[] {
    if (process.command) return [{ journey: process, step: "goes on" }];
    const { hold, phase } = process;
    if (phase === "begin") return [this.#begun(world, process, process.result as Begun)];
    if (phase === "finish") return [this.#ended(process)];
    if (!hold) throw new TypeError(`a ${phase} without a hold`);
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
    if (begun.kind !== "held") return { journey: this.#failed(process), step: begun.kind };
    const { owner, runId } = process.delivery;
    const run = this.#runs.indexOf(runId);
    const atWork = world.journeys.find(
      (other) => "phase" in other && other.index !== process.index && AT_WORK.includes(other.phase),
    );
    const { fencingToken, steps } = begun.hold;
    const atWorkRun = atWork && "phase" in atWork ? atWork.delivery.runId : undefined;
    checkStart(
      { owner, runId, fencingToken, steps: steps.length },
      world.state.value,
      world.records[run]?.value,
      atWorkRun,
    );
    const change = { started: world.started | (1 << run) };
    return { journey: this.processes.handling(process, begun.hold), change, step: "starts its handler" };
  }

  #stepped(process: Process, hold: Hold, { recorded }: Stepped) {
    return recorded
      ? { journey: this.processes.handling(process, hold), step: "remembers the step" }
      : { journey: this.processes.finishing(process, hold, "FAILED"), step: "has lost its run, so it stops" };
  }

  #ended(process: Process) {
    const isSuccess = process.outcome === "SUCCEEDED";
    return isSuccess
      ? { journey: acknowledged(process), step: "succeeded" }
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
    const after = this.effects.after(process, target, world.started, (started) => this.#startedSet(started));
    if (after === target) return {};
    if (target === world.state) return { state: after };
    const run = this.#runOf(process);
    return { records: world.records.map((record, at) => (at === run ? after : record)) };
  }

  #target(world: World, process: Process): Stored {
    if (process.request?.kind === "query") return this.effects.newest(process, world.records);
    const run = this.#runOf(process);
    return run < 0 ? world.state : (world.records[run] as Stored);
  }

  #runOf({ id, request }: Process): number {
    const known = this.#targets[id];
    if (known !== undefined) return known;
    if (!request || request.kind === "query") return -1;
    const { sk } = request.kind === "put" ? request.item : request.key;
    const run = this.#runs.findIndex((runId) => runKey(FLEET, JOB, runId).sk === sk);
    this.#targets[id] = run;
    return run;
  }

  #toggle(world: World): World {
    const { paused, ...rest } = world.state.value as Item;
    const pause = { by: "alice", reason: "maintenance", at: "2026-03-02T02:00:00.000Z" };
    const state = this.effects.items.intern(paused ? rest : { ...rest, paused: pause });
    const step = paused ? "the job is resumed" : "the job is paused";
    return { ...world, state, toggles: world.toggles - 1, before: world, step, by: undefined };
  }

  #checkEnds({ journeys, records, started }: World): void {
    this.#runs.forEach((runId, run) => {
      const isDeadLettered = journeys.some(
        (journey, index) =>
          "end" in journey &&
          journey.end === "dead-lettered" &&
          (journey.run ?? this.#runs.indexOf(this.scope.arrivals[index]?.runId ?? "")) === run,
      );
      checkEnd(runId, records[run]?.value, isDeadLettered, this.#startedSet(started));
    });
  }

  #startedSet(started: number): ReadonlySet<string> {
    const known = this.#startedSets.get(started) ?? new Set(this.#runs.filter((_runId, run) => started & (1 << run)));
    this.#startedSets.set(started, known);
    return known;
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

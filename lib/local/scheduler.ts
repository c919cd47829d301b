import { join } from "node:path";
import type { CatchUp, Pause } from "../run/index.ts";
import {
  nextOccurrence,
  occurrencesBetween,
  own,
  parseSchedule,
  type Schedule,
  ScheduleError,
} from "../schedule/index.ts";
import { badAssembly } from "./assembly-files.ts";
import { type Clock, isInstant } from "./clock.ts";
import type { ScheduleDefinition } from "./definitions.ts";
import { RunnerError } from "./errors.ts";
import type { Tell } from "./events.ts";
import { readJson, requireFields, writeJson } from "./json-file.ts";
import { missedOutside } from "./missed-outside.ts";

/** EventBridge calls within the minute after the scheduled time. What is noticed later than that was missed. */
const PRECISION_MS = 60_000;

/** What is remembered of a schedule from one start to the next. A changed expression or zone begins anew. */
interface Memory {
  readonly expression: string;
  readonly timeZone: string;
  /** When the schedule was first seen: the first occurrence of a rate without a start, as its creation is on AWS. */
  readonly anchorMs: number;
  /** All occurrences up to this one have been delivered, or missed and said. */
  readonly doneUntilMs: number;
}

export interface SchedulerOptions {
  readonly stateDir: string;
  readonly schedules: readonly ScheduleDefinition[];
  readonly clock: Clock;
  /** A whole second: when a schedule that is new was first seen, and a rate without a start has its first occurrence. */
  readonly newSinceMs: number;
  readonly deliver: (schedule: ScheduleDefinition, scheduledTimeMs: number) => void;
  readonly tell: Tell;
  readonly catchUpOf: (job: string) => CatchUp | undefined;
  /** The job's newest pause, also one that has run out. */
  readonly pauseOf: (job: string) => Promise<Pick<Pause, "atMs" | "untilMs"> | undefined>;
}

/** Delivers each enabled schedule's occurrences as they fall due. What fell due while it was down is said, not delivered. */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #file: string;
  #schedules: readonly ScheduleDefinition[] = [];
  #newSinceMs: number;
  #memories = new Map<string, Memory>();
  #compiled = new Map<string, Schedule>();
  readonly #appointments = new Map<string, () => void>();
  #saving: NodeJS.Immediate | undefined;

  /** @throws RunnerError BAD_ASSEMBLY for a schedule that is not valid, FOLDER_BROKEN */
  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#file = join(options.stateDir, "schedules.json");
    const known = readMemories(this.#file);
    this.#newSinceMs = options.newSinceMs;
    this.#take(options.schedules, known);
  }

  /** All of them or, where one is not valid, none. */
  #take(schedules: readonly ScheduleDefinition[], known: Record<string, Memory>): void {
    const memories = new Map<string, Memory>();
    const compiled = new Map<string, Schedule>();
    for (const schedule of schedules) {
      const memory = recall(schedule, own(known, schedule.id), this.#newSinceMs);
      compiled.set(schedule.id, compile(schedule, memory.anchorMs));
      // One that is disabled is forgotten: enabled again, it begins anew.
      if (schedule.enabled) memories.set(schedule.id, memory);
    }
    [this.#schedules, this.#memories, this.#compiled] = [schedules, memories, compiled];
  }

  /** The schedule as the engine reads it; a rate with its anchor. */
  compiled(schedule: ScheduleDefinition): Schedule {
    return this.#compiled.get(schedule.id) as Schedule;
  }

  /** Since when it has been as it is, here; a disabled one since this start. */
  seenSinceMs({ id }: ScheduleDefinition): number {
    return this.#memories.get(id)?.anchorMs ?? this.#newSinceMs;
  }

  start(): void {
    this.#startAll(0);
  }

  /**
   * Takes these in the place of the ones before; `resume` fires them. One that stayed as it was goes on; any other begins
   * anew.
   *
   * @param newSinceMs a whole second: when those that are new were first seen
   * @throws RunnerError BAD_ASSEMBLY for a schedule that is not valid; then nothing has changed
   */
  replace(schedules: readonly ScheduleDefinition[], newSinceMs: number): void {
    this.#newSinceMs = newSinceMs;
    this.#take(schedules, Object.fromEntries(this.#memories));
    this.#cancelAll();
    this.#saving ??= setImmediate(() => this.#save());
  }

  /** Fires what `replace` has taken. */
  resume(): void {
    this.#startAll(PRECISION_MS);
  }

  /** @param lateMs of those that are not new */
  #startAll(lateMs: number): void {
    for (const schedule of this.#schedules) {
      const memory = this.#memories.get(schedule.id);
      if (!memory) continue;
      const isNew = memory.doneUntilMs < memory.anchorMs;
      this.#advance(schedule, memory, isNew ? PRECISION_MS : lateMs);
    }
  }

  #cancelAll(): void {
    for (const cancel of this.#appointments.values()) cancel();
    this.#appointments.clear();
  }

  stop(): void {
    this.#cancelAll();
    clearImmediate(this.#saving);
    this.#save();
  }

  /** Delivers what is due and not older than `lateMs`, says what is older, and waits for the next. */
  #advance(schedule: ScheduleDefinition, memory: Memory, lateMs: number): void {
    const { clock, deliver } = this.#options;
    const compiled = this.compiled(schedule);
    const nowMs = clock.nowMs();
    const missedUntilMs = Math.max(memory.doneUntilMs, nowMs - lateMs);
    void this.#sayMissed(schedule, memory.doneUntilMs, missedUntilMs);
    for (const timeMs of occurrencesBetween(compiled, missedUntilMs + 1, nowMs + 1)) deliver(schedule, timeMs);

    const done = { ...memory, doneUntilMs: nowMs };
    this.#memories.set(schedule.id, done);
    this.#saving ??= setImmediate(() => this.#save());
    const nextMs = nextOccurrence(compiled, nowMs);
    if (nextMs === undefined) return;
    this.#appointments.set(
      schedule.id,
      clock.at(nextMs, () => this.#advance(schedule, done, PRECISION_MS)),
    );
  }

  /** Those after `fromMs`, until `untilMs`, that did not fall due in a pause: what did is skipped, and not missed. */
  async #sayMissed(schedule: ScheduleDefinition, fromMs: number, untilMs: number): Promise<void> {
    // A look looks back by itself.
    if (schedule.isWatchdogs) return;
    const compiled = this.compiled(schedule);
    const firstMs = nextOccurrence(compiled, fromMs);
    if (firstMs === undefined || firstMs > untilMs) return;
    const { tell, pauseOf, catchUpOf } = this.#options;
    const { job, name } = schedule;
    const missed = missedOutside(await pauseOf(job), compiled, { fromMs: firstMs, untilMs });
    if (missed) tell({ kind: "missed", job, schedule: name, catchUp: catchUpOf(job), ...missed });
  }

  /** Once for all schedules that fall due together. */
  #save(): void {
    this.#saving = undefined;
    try {
      writeJson(this.#file, Object.fromEntries(this.#memories));
    } catch (error) {
      const message = `${this.#file} could not be written: ${(error as Error).message}. The next start may name occurrences as missed that were not.`;
      this.#options.tell({ kind: "warning", message });
    }
  }
}

function compile({ id, spec }: ScheduleDefinition, anchorMs: number): Schedule {
  try {
    return parseSchedule(spec, { anchorMs });
  } catch (error) {
    if (error instanceof ScheduleError) throw badAssembly(`The schedule ${id} is not valid: ${error.message}`, error);
    throw error;
  }
}

function readMemories(file: string): Record<string, Memory> {
  try {
    const memories = readJson(file) ?? {};
    requireFields({ "the list of schedules": typeof memories === "object" && !Array.isArray(memories) });
    for (const [id, memory] of Object.entries(memories)) checkMemory(id, memory);
    return memories as Record<string, Memory>;
  } catch (error) {
    const message = `${file} cannot be read: ${(error as Error).message}. Delete it: rates then begin anew, and what fell due since the last start is not named.`;
    throw new RunnerError("FOLDER_BROKEN", message, { exitCode: 1, cause: error });
  }
}

function checkMemory(id: string, value: unknown): void {
  const memory = (value ?? {}) as Memory;
  requireFields({
    [`${id}.expression`]: typeof memory.expression === "string",
    [`${id}.timeZone`]: typeof memory.timeZone === "string",
    [`${id}.anchorMs`]: isInstant(memory.anchorMs),
    [`${id}.doneUntilMs`]: isInstant(memory.doneUntilMs),
  });
}

function recall(schedule: ScheduleDefinition, memory: Memory | undefined, newSinceMs: number): Memory {
  const { expression, timeZone } = schedule.spec;
  if (memory && memory.expression === expression && memory.timeZone === timeZone) return memory;
  return { expression, timeZone, anchorMs: newSinceMs, doneUntilMs: newSinceMs - 1 };
}

import type { Reply } from "../../lib/run/index.ts";
import { isDead } from "../../lib/run/index.ts";
import type { Item } from "../../lib/store/request.ts";
import { replyTo } from "../../lib/store/run-store.ts";
import { checkChange, checkTurn } from "../simulation/invariants.ts";
import { found, written } from "../simulation/model-table.ts";
import { type Interned, Interner } from "./interned.ts";
import type { Mutant, Process, Processes } from "./process.ts";
import { TICK_MS, timeOf } from "./scope.ts";

export type Stored = Interned<Item | undefined>;

/** What a process's request does to an item, worked out once. */
interface Effect {
  readonly after: Stored;
  readonly isChange: boolean;
  readonly reply: Omit<Reply, "nowMs">;
  /** The process once it has the reply, by tick: one for each reading of the clock that makes a difference. */
  readonly next: (readonly Process[] | undefined)[];
  /** Those sets of started runs beside which the change was found right. */
  readonly checked: Set<number>;
}

/** Carries out the requests of processes on single items. */
export class Effects {
  readonly items = new Interner<Item | undefined>();
  readonly #known: (Map<number, Effect> | undefined)[] = [];
  readonly #processes: Processes;
  readonly #mutant: Mutant;
  readonly #takesTurns: boolean;

  /** @param takesTurns whether nobody may overtake those who wait */
  constructor(processes: Processes, mutant: Mutant, takesTurns: boolean) {
    this.#processes = processes;
    this.#takesTurns = takesTurns;
    this.#mutant = mutant;
  }

  /** The item as the request leaves it, checked against the invariants. */
  after(process: Process, before: Stored, started: number, names: (started: number) => ReadonlySet<string>): Stored {
    const effect = this.#effect(process, before);
    if (effect.isChange && !effect.checked.has(started)) {
      if (effect.after.value) checkChange(before.value, effect.after.value, names(started));
      if (effect.after.value && this.#takesTurns) checkTurn(before.value, effect.after.value);
      effect.checked.add(started);
    }
    return effect.after;
  }

  /** What becomes of the process with the reply. */
  next(process: Process, before: Stored, tick: number): readonly Process[] {
    const effect = this.#effect(process, before);
    effect.next[tick] ??= this.#replied(process, effect, before, tick);
    return effect.next[tick];
  }

  /** The item that a query reads: the newest one it finds. */
  newest(process: Process, records: readonly Stored[]): Stored {
    if (process.request?.kind !== "query") throw new TypeError("no query");
    const existing = records.map(({ value }) => value).filter((item) => item !== undefined);
    return this.items.intern(found(process.request, existing)[0]);
  }

  #effect(process: Process, before: Stored): Effect {
    const effects = this.#known[process.id] ?? new Map<number, Effect>();
    this.#known[process.id] = effects;
    const effect = effects.get(before.id) ?? this.#workOut(process, before);
    effects.set(before.id, effect);
    return effect;
  }

  #workOut({ request, command }: Process, before: Stored): Effect {
    if (!request || !command) throw new TypeError("nothing to send");
    const same = { next: [], checked: new Set<number>() };
    const answered = (applied: boolean, item: Item | undefined) => {
      const result = { nowMs: 0, applied, item, items: item ? [item] : [] };
      const { nowMs: _, ...reply } = replyTo(command, request, result);
      return reply;
    };
    if (request.kind === "get" || request.kind === "query")
      return { ...same, after: before, isChange: false, reply: answered(true, before.value) };
    const after = written(request, before.value);
    if (!after) return { ...same, after: before, isChange: false, reply: answered(false, before.value) };
    const reply = answered(true, request.kind === "put" ? undefined : after);
    return { ...same, after: this.items.intern(after), isChange: true, reply };
  }

  #replied(process: Process, { reply, after, isChange }: Effect, before: Stored, tick: number): readonly Process[] {
    const next = new Set<Process>();
    const { command, delivery } = process;
    if (!command) throw new TypeError("nothing to answer");
    // A process with a heartbeat measures by one clock: what it is off by stays the same.
    const skews = delivery.heartbeatMs === undefined ? [0, 1, -1] : [process.skewTicks];
    for (const skewTicks of skews) {
      const exact: Reply = { ...reply, nowMs: timeOf(tick) + skewTicks * TICK_MS };
      const told = this.#mutant.reply?.(exact, delivery, command) ?? exact;
      const past = pastOf(told, process);
      next.add(this.#processes.replied(process, told, `${isChange} ${before.id} ${after.id} ${past}`));
    }
    return [...next];
  }
}

/** Which of the instants that count a reading of the clock is past. */
function pastOf({ state, lock, record, nowMs }: Reply, { delivery, phase }: Process): string {
  // A lease with a heartbeat may begin at the time of the answer, unless it has begun.
  const hasBegun = phase !== "begin" || state?.lease?.owner === delivery.owner;
  if (delivery.heartbeatMs !== undefined) return hasBegun ? "" : `${nowMs}`;
  const lease = state?.lease ?? lock?.lease ?? record?.lease;
  const isPastLease = lease !== undefined && isDead(lease, nowMs);
  const isPastLateness = delivery.lateAfterMs !== undefined && delivery.lateAfterMs < nowMs;
  return `${isPastLease} ${isPastLateness}`;
}

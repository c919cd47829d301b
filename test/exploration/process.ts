import {
  type Begun,
  begin,
  type Command,
  type Delivery,
  type Finished,
  finish,
  type Hold,
  type Outcome,
  type Protocol,
  type Renewed,
  type Reply,
  record,
  recordSteps,
  release,
  renew,
} from "../../lib/run/index.ts";
import { requestFor } from "../../lib/store/commands.ts";
import type { Request } from "../../lib/store/request.ts";
import { canonical } from "./interned.ts";
import { FLEET, timeOf } from "./scope.ts";

/** The protocols as shipped, or with a fault in them, and what happens to their requests and replies. */
export interface Mutant {
  readonly begin?: (delivery: Delivery) => Protocol<Begun>;
  readonly finish?: (hold: Hold, outcome: Outcome) => Protocol<Finished>;
  /** What a time-out does while its handler is still at work. */
  readonly record?: (hold: Hold, outcome: Outcome) => Protocol<Finished>;
  readonly request?: (request: Request, command: Command) => Request;
  readonly reply?: (reply: Reply, delivery: Delivery, command: Command) => Reply;
}

/**
 * An invocation at one point of its way. Two invocations that were told the same are one object.
 * begin (→ waiting → begin) → handler (→ step or beat → handler) → finish, or → timing-out → finish (its handler confirmed
 * that it stopped) or stuck (it did not).
 */
export interface Process {
  readonly id: number;
  readonly index: number;
  readonly nth: number;
  readonly delivery: Delivery;
  readonly phase: "begin" | "waiting" | "handler" | "step" | "beat" | "timing-out" | "stuck" | "finish";
  /** When it was invoked, or looked again, and how far its clock is off. */
  readonly tick: number;
  readonly skewTicks: number;
  /** With a heartbeat: when the last good request was sent, by its own clock; and what it has heard. */
  readonly confirmedMs?: number | undefined;
  readonly isLost?: boolean | undefined;
  readonly isCancelled?: boolean | undefined;
  /** What it sends next, and where that goes; absent while it waits, and when its protocol has ended. */
  readonly command?: Command | undefined;
  readonly request?: Request | undefined;
  readonly result?: unknown;
  readonly hold?: Hold | undefined;
  readonly outcome?: Outcome["status"] | undefined;
  /** Generators cannot be copied: each is told its replies again. */
  readonly start: () => Protocol<unknown>;
  readonly replies: readonly Reply[];
}

type Kept = Pick<
  Process,
  "index" | "nth" | "delivery" | "tick" | "skewTicks" | "confirmedMs" | "isLost" | "isCancelled"
>;
type Made = Kept & Pick<Process, "phase" | "hold" | "outcome">;

/** Makes processes, each once. */
export class Processes {
  readonly #known = new Map<string, Process>();
  readonly #mutant: Mutant;

  constructor(mutant: Mutant) {
    this.#mutant = mutant;
  }

  get count(): number {
    return this.#known.size;
  }

  invoked(index: number, nth: number, delivery: Delivery, tick: number, skewTicks: number, received: string): Process {
    const protocol = this.#mutant.begin ?? begin;
    const made: Made = { index, nth, delivery, tick, skewTicks, phase: "begin" };
    return this.#run(`${canonical(delivery)} ${received}`, made, () => protocol(delivery));
  }

  /** @param told what the reply says, canonically */
  replied(process: Process, reply: Reply, told: string): Process {
    const { start, replies } = process;
    return this.#run(`${process.id} ${told}`, process, start, () => [...replies, reply]);
  }

  handling(process: Process, hold: Hold): Process {
    const { confirmedMs = hold.delivery.heartbeatMs && hold.startedMs, isLost, isCancelled, skewTicks } = process;
    const heard = `${confirmedMs} ${isLost} ${isCancelled} ${skewTicks}`;
    const key = `handler ${canonical(hold)} ${heard}`;
    return this.#waiting(key, { ...process, phase: "handler", hold, confirmedMs });
  }

  /** The handler is at work, and its leases are being renewed. */
  beating(process: Process, hold: Hold, tick: number): Process {
    const sentMs = timeOf(tick + process.skewTicks);
    const made: Made = { ...process, phase: "beat", tick };
    return this.#run(`beat ${sentMs} ${process.id}`, made, () => renew(hold, sentMs, undefined));
  }

  beaten(process: Process, hold: Hold, renewed: Renewed): Process {
    if (renewed.kind === "lost") return this.handling({ ...process, isLost: true }, hold);
    const isCancelled = process.isCancelled || renewed.stop !== undefined;
    return this.handling({ ...process, confirmedMs: timeOf(process.tick + process.skewTicks), isCancelled }, hold);
  }

  /** Somebody was asked to stop for it. It holds nothing. */
  waitingFor(process: Process): Process {
    const { owner, leaseExpiresAtMs } = process.delivery;
    return this.#waiting(`waiting ${owner} ${leaseExpiresAtMs} ${process.skewTicks}`, { ...process, phase: "waiting" });
  }

  /** An operator's request, on its way. */
  asking(process: Process): Process {
    const { owner, job } = process.delivery;
    const stop = { owner, kind: "cancel", by: "alice", atMs: 0 } as const;
    return this.#run(`ask ${owner}`, process, function* () {
      yield { kind: "ask-to-stop", job, stop };
    });
  }

  /** The handler has finished one more step, which is to be remembered. */
  stepping(process: Process, hold: Hold): Process {
    const steps = [...hold.steps, { name: `step-${hold.steps.length + 1}` }];
    const stepped = { ...hold, steps };
    return this.#run(`step ${process.id}`, { ...process, phase: "step", hold: stepped }, () => recordSteps(stepped));
  }

  finishing(process: Process, hold: Hold, status: Outcome["status"]): Process {
    const protocol = this.#mutant.finish ?? finish;
    const made: Made = { ...process, phase: "finish", outcome: status };
    return this.#run(`${status} ${canonical(hold)}`, made, () => protocol(hold, outcomeOf(hold, status)));
  }

  timingOut(process: Process, hold: Hold): Process {
    const protocol = this.#mutant.record ?? record;
    const outcome = process.isCancelled ? "CANCELLED" : "TIMED_OUT";
    const made: Made = { ...process, phase: "timing-out", outcome };
    return this.#run(`timing-out ${process.id}`, made, () => protocol(hold, outcomeOf(hold, outcome)));
  }

  stopped(process: Process, hold: Hold, finished: Finished): Process {
    return this.#run(`stopped ${process.id}`, { ...process, phase: "finish" }, () => release(hold, finished));
  }

  stuck(process: Process): Process {
    const { delivery, confirmedMs } = process;
    const made: Made = { ...keptOf(process), phase: "stuck" };
    return this.#waiting(`stuck ${delivery.owner} ${delivery.leaseExpiresAtMs} ${confirmedMs}`, made);
  }

  /** The process that its protocol makes of these replies. */
  #run(key: string, made: Made, start: () => Protocol<unknown>, told: () => readonly Reply[] = () => []): Process {
    const known = this.#known.get(key);
    if (known) return known;
    const replies = told();
    const protocol = start();
    let step = protocol.next();
    for (const reply of replies) step = protocol.next(reply);
    const { phase, hold, outcome } = made;
    const common = { id: this.#known.size + 1, ...keptOf(made), phase, hold, outcome, start, replies };
    const process = step.done ? { ...common, result: step.value } : { ...common, ...this.#sent(step.value) };
    this.#known.set(key, process);
    return process;
  }

  #waiting(key: string, made: Made): Process {
    const known = this.#known.get(key);
    if (known) return known;
    const { phase, hold } = made;
    const process = { id: this.#known.size + 1, ...keptOf(made), phase, hold, start: nothing, replies: [] };
    this.#known.set(key, process);
    return process;
  }

  #sent(command: Command): Pick<Process, "command" | "request"> {
    const request = requestFor(FLEET, command);
    return { command, request: this.#mutant.request?.(request, command) ?? request };
  }
}

function keptOf(made: Kept): Kept {
  const { index, nth, delivery, tick, skewTicks, confirmedMs, isLost, isCancelled } = made;
  return { index, nth, delivery, tick, skewTicks, confirmedMs, isLost, isCancelled };
}

function* nothing(): Protocol<void> {}

function outcomeOf(hold: Hold, status: Outcome["status"]): Outcome {
  return { status, endedMs: hold.startedMs, ...(status !== "SUCCEEDED" && { error: { name: status, message: "" } }) };
}

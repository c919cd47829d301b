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
  type Reply,
  record,
  recordSteps,
  release,
} from "../../lib/run/index.ts";
import { requestFor } from "../../lib/store/commands.ts";
import type { Request } from "../../lib/store/request.ts";
import { canonical } from "./interned.ts";

export const FLEET = "f";

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
 * begin → handler (→ step → handler) → finish, or → timing-out → finish (its handler confirmed that it stopped) or stuck (it did not).
 */
export interface Process {
  readonly id: number;
  readonly index: number;
  readonly nth: number;
  readonly delivery: Delivery;
  readonly phase: "begin" | "handler" | "step" | "timing-out" | "stuck" | "finish";
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

type Made = Pick<Process, "index" | "nth" | "delivery" | "phase" | "hold" | "outcome">;

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

  invoked(index: number, nth: number, delivery: Delivery, received: string): Process {
    const protocol = this.#mutant.begin ?? begin;
    const made: Made = { index, nth, delivery, phase: "begin" };
    return this.#run(`${canonical(delivery)} ${received}`, made, () => protocol(delivery));
  }

  /** @param told what the reply says, canonically */
  replied(process: Process, reply: Reply, told: string): Process {
    const { start, replies } = process;
    return this.#run(`${process.id} ${told}`, process, start, () => [...replies, reply]);
  }

  handling(process: Process, hold: Hold): Process {
    return this.#waiting(`handler ${canonical(hold)}`, { ...process, phase: "handler", hold });
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
    return this.#run(`${status} ${process.id}`, made, () => protocol(hold, outcomeOf(hold, status)));
  }

  timingOut(process: Process, hold: Hold): Process {
    const protocol = this.#mutant.record ?? record;
    const made: Made = { ...process, phase: "timing-out", outcome: "TIMED_OUT" };
    return this.#run(`timing-out ${process.id}`, made, () => protocol(hold, outcomeOf(hold, "TIMED_OUT")));
  }

  stopped(process: Process, hold: Hold, finished: Finished): Process {
    return this.#run(`stopped ${process.id}`, { ...process, phase: "finish" }, () => release(hold, finished));
  }

  stuck(process: Process): Process {
    const { index, nth, delivery } = process;
    const made: Made = { index, nth, delivery, phase: "stuck" };
    return this.#waiting(`stuck ${delivery.owner} ${delivery.leaseExpiresAtMs}`, made);
  }

  /** The process that its protocol makes of these replies. */
  #run(key: string, made: Made, start: () => Protocol<unknown>, told: () => readonly Reply[] = () => []): Process {
    const known = this.#known.get(key);
    if (known) return known;
    const replies = told();
    const protocol = start();
    let step = protocol.next();
    for (const reply of replies) step = protocol.next(reply);
    const { index, nth, delivery, phase, hold, outcome } = made;
    const common = { id: this.#known.size + 1, index, nth, delivery, phase, hold, outcome, start, replies };
    const process = step.done ? { ...common, result: step.value } : { ...common, ...this.#sent(step.value) };
    this.#known.set(key, process);
    return process;
  }

  #waiting(key: string, made: Made): Process {
    const known = this.#known.get(key);
    if (known) return known;
    const { index, nth, delivery, phase, hold } = made;
    const process = { id: this.#known.size + 1, index, nth, delivery, phase, hold, start: nothing, replies: [] };
    this.#known.set(key, process);
    return process;
  }

  #sent(command: Command): Pick<Process, "command" | "request"> {
    const request = requestFor(FLEET, command);
    return { command, request: this.#mutant.request?.(request, command) ?? request };
  }
}

function* nothing(): Protocol<void> {}

function outcomeOf(hold: Hold, status: Outcome["status"]): Outcome {
  return { status, endedMs: hold.startedMs, ...(status !== "SUCCEEDED" && { error: { name: status, message: "" } }) };
}

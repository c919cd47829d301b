import {
  begin,
  type Command,
  type Delivery,
  type Hold,
  type Protocol,
  type RunRecord,
  type SharedLock,
} from "../../lib/run/index.ts";
import type { JobState, QueueEntry } from "../../lib/run/state.ts";
import { decodeLock, decodeRecord, decodeState } from "../../lib/store/codec.ts";
import { requestFor } from "../../lib/store/commands.ts";
import { lockKey, runKey, stateKey } from "../../lib/store/keys.ts";
import type { Item } from "../../lib/store/request.ts";
import { replyTo } from "../../lib/store/run-store.ts";
import { ModelTable } from "../simulation/model-table.ts";

export const FLEET = "shop-dev";
export const JOB = "nightly-report";
export const T0 = Date.parse("2026-03-02T02:00:00.000Z");
/** 2026-03-02T02:00:00Z in seconds, from which the first token counts. */
export const FIRST_FENCE = 1_772_416_801;
export const RUN = "2026-03-02T02:00:00.000Z#default";
export const NEXT = "2026-03-02T03:00:00.000Z#default";
export const NEXT_MS = Date.parse("2026-03-02T03:00:00.000Z");

/** The occurrence at T0 as its own invocation gets it: a minute of time, one retry, kept for a day. */
export const first: Delivery = {
  job: JOB,
  runId: RUN,
  schedule: "default",
  scheduledTimeMs: T0,
  trigger: { kind: "schedule" },
  owner: "owner-1",
  deliveryId: "delivery-1",
  redelivered: true,
  receivedMs: T0,
  leaseExpiresAtMs: T0 + 60_000,
  overlap: "skip",
  queueLength: 10,
  maxAttempts: 2,
  retentionMs: 86_400_000,
  requestId: "request-1",
  logStream: "stream-1",
};

/** The occurrence an hour later, as another invocation gets it at the given time. */
export function next(receivedMs: number, overrides: Partial<Delivery> = {}): Delivery {
  const identity = { runId: NEXT, scheduledTimeMs: NEXT_MS, owner: "owner-2", deliveryId: "delivery-2" };
  const times = { receivedMs, leaseExpiresAtMs: receivedMs + 60_000 };
  return { ...first, ...identity, ...times, requestId: "request-2", logStream: "stream-2", ...overrides };
}

/** The same delivery as the platform's next try gets it. */
export function again(delivery: Delivery, receivedMs: number): Delivery {
  return { ...delivery, owner: `${delivery.owner}-again`, receivedMs, leaseExpiresAtMs: receivedMs + 60_000 };
}

/** A run that an operator asked for, which carries no time. */
export const manual: Delivery = {
  ...first,
  runId: "manual#request",
  schedule: undefined,
  scheduledTimeMs: undefined,
  trigger: { kind: "operator", by: "alice" },
  owner: "owner-3",
  deliveryId: "delivery-3",
  requestId: "request-3",
};

/** The entry of a run in the queue, since T0. */
export function waiting(runId: string): QueueEntry {
  return { runId, trigger: first.trigger, deliveryId: "delivery-4", requestId: "request-4", queuedMs: T0 };
}

/** The protocol over the model of the table, one whole protocol after the other. */
export class Model {
  nowMs = T0;
  /** The kinds of the commands since the last look. */
  sent: string[] = [];
  readonly #table = new ModelTable(() => {});

  perform<T>(protocol: Protocol<T>): T {
    let step = protocol.next();
    while (!step.done) step = protocol.next(this.send(step.value));
    return step.value;
  }

  send(command: Command) {
    this.sent.push(command.kind);
    const request = requestFor(FLEET, command);
    return replyTo(command, request, { ...this.#table.send(request), nowMs: this.nowMs });
  }

  /** Begins at the time of its arrival. */
  begin(delivery: Delivery) {
    this.nowMs = delivery.receivedMs;
    return this.perform(begin(delivery));
  }

  hold(delivery: Delivery): Hold {
    const begun = this.begin(delivery);
    if (begun.kind !== "held") throw new Error(`expected the lock, got ${JSON.stringify(begun)}`);
    return begun.hold;
  }

  takeSent(): string[] {
    return this.sent.splice(0);
  }

  state(job = JOB): JobState | undefined {
    const item = this.#item(stateKey(FLEET, job));
    return item && decodeState(item);
  }

  record(runId: string, job = JOB): RunRecord | undefined {
    const item = this.#item(runKey(FLEET, job, runId));
    return item && decodeRecord(item);
  }

  lock(name: string): SharedLock | undefined {
    const item = this.#item(lockKey(FLEET, name));
    return item && decodeLock(item);
  }

  /** Puts a pause on the state, or with undefined takes it away. */
  pause(paused: { readonly by: string; readonly reason: string; readonly at: string } | undefined): void {
    const { pk, sk } = stateKey(FLEET, JOB);
    const { paused: _, ...rest } = this.#table.items.get(`${pk}/${sk}`) ?? { pk, sk, v: 1 };
    this.#table.items.set(`${pk}/${sk}`, paused ? { ...rest, paused } : rest);
  }

  #item({ pk, sk }: { pk: string; sk: string }): Item | undefined {
    return this.#table.items.get(`${pk}/${sk}`);
  }
}

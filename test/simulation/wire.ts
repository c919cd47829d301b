import type { Command, JobState, Reply, RunRecord } from "../../lib/run/index.ts";
import { decodeRecord, decodeState } from "../../lib/store/codec.ts";
import { requestFor } from "../../lib/store/commands.ts";
import { jobPartition, type Key, runKey, runSortKeyFrom, STATE_SORT_KEY, stateKey } from "../../lib/store/keys.ts";
import type { Item, Request } from "../../lib/store/request.ts";
import { replyTo } from "../../lib/store/run-store.ts";
import { ModelTable } from "./model-table.ts";
import { SECOND } from "./plan.ts";
import type { Random } from "./random.ts";

export const FLEET = "f";

/** A world's time, true everywhere but on the clocks of its processes. */
export interface Time {
  nowMs: number;
}

export type Mutate = (request: Request, command: Command) => Request;

/** The table, and the way to it: requests and replies are lost, and requests land long after their process was killed. */
export class Wire {
  readonly #random: Random;
  readonly #time: Time;
  readonly #mutate: Mutate;
  readonly #table: ModelTable;
  readonly #underway: Request[] = [];

  constructor(random: Random, time: Time, mutate: Mutate, onChange: (before: Item | undefined, after: Item) => void) {
    this.#random = random;
    this.#time = time;
    this.#mutate = mutate;
    this.#table = new ModelTable(onChange);
  }

  /** Undefined: the request was lost, or its reply, and it is sent again at the next turn. */
  replyTo(command: Command, skewMs: number): Reply | undefined {
    if (this.#random.chance(0.05)) return undefined;
    const request = this.#request(command);
    const answer = this.#table.send(request);
    if (this.#random.chance(0.05)) return undefined;
    return replyTo(command, request, { ...answer, nowMs: Math.min(this.#time.nowMs + skewMs, this.#tableMs()) });
  }

  /** It may land at any later time. */
  delay(command: Command): void {
    this.#underway.push(this.#request(command));
  }

  landSome(): void {
    if (this.#underway.length === 0 || !this.#random.chance(0.03)) return;
    for (const request of this.#underway.splice(this.#random.upTo(this.#underway.length - 1), 1))
      this.#table.send(request);
  }

  landAll(): void {
    for (const request of this.#underway.splice(0)) this.#table.send(request);
  }

  put(item: Item & Key): void {
    this.#table.items.set(`${item.pk}/${item.sk}`, item);
  }

  itemAt({ pk, sk }: Key): Item | undefined {
    return this.#table.items.get(`${pk}/${sk}`);
  }

  recordOf(job: string, runId: string): Item | undefined {
    return this.itemAt(runKey(FLEET, job, runId));
  }

  /** Of runs that are for this time or later. */
  recordsOf(job: string, sinceMs: number): RunRecord[] {
    const pk = jobPartition(FLEET, job);
    const from = runSortKeyFrom(sinceMs);
    const isWanted = (item: Item) => item["pk"] === pk && String(item["sk"]) >= from && item["sk"] !== STATE_SORT_KEY;
    return [...this.#table.items.values()].filter(isWanted).map(decodeRecord);
  }

  stateOf(job: string): JobState {
    return decodeState(this.itemAt(stateKey(FLEET, job)) ?? {});
  }

  #request(command: Command): Request {
    return this.#mutate(requestFor(FLEET, command), command);
  }

  /** The upper end of what a `Date` header in whole seconds says, of a clock that is off itself. */
  #tableMs(): number {
    return Math.floor((this.#time.nowMs + this.#random.upTo(4 * SECOND)) / SECOND) * SECOND + 999;
  }
}

import { type Key, lockKey, runKey, stateKey } from "../../lib/store/keys.ts";
import type { Item, Request } from "../../lib/store/request.ts";
import type { Process } from "./process.ts";
import { FLEET, jobOf, type Scope } from "./scope.ts";

/** Where a scope's items are in its worlds: the states of its jobs, its shared locks, then its runs' records. */
export class Places {
  readonly first: readonly (Item | undefined)[];
  readonly #keys: readonly Key[];
  /** By process: the place of the item that its request is about. */
  readonly #known: (number | undefined)[] = [];

  constructor({ arrivals, isPauseOver }: Scope) {
    const states = arrivals.map((arrival) => stateKey(FLEET, jobOf(arrival)));
    const locks = arrivals.flatMap(({ locks = [] }) => locks.map((lock) => lockKey(FLEET, lock)));
    const records = arrivals.map((arrival) => runKey(FLEET, jobOf(arrival), arrival.runId));
    const keys = [...states, ...locks, ...records];
    this.#keys = keys.filter((key, at) => keys.findIndex((other) => isSame(key, other)) === at);
    // Jobs and locks that were used before: their fences do not have to be seeded.
    const used = (key: Key) => states.includes(key) || locks.includes(key);
    const paused = { by: "bob", reason: "a move", at: "2026-03-01T02:00:00.000Z", until: "2026-03-01T03:00:00.000Z" };
    this.first = this.#keys.map((key) =>
      used(key) ? { ...key, v: 1, fence: 1, ...(isPauseOver && states.includes(key) && { paused }) } : undefined,
    );
  }

  of(key: Key): number {
    return this.#keys.findIndex((other) => isSame(key, other));
  }

  /** Of the item that a process's request is about, unless that is a query. */
  ofRequest({ id, request }: Process): number {
    this.#known[id] ??= this.of(keyOf(request));
    return this.#known[id];
  }
}

function keyOf(request: Request | undefined): Key {
  if (!request || request.kind === "query") throw new TypeError("not about one item");
  return request.kind === "put" ? request.item : request.key;
}

function isSame(one: Key, other: Key): boolean {
  return one.pk === other.pk && one.sk === other.sk;
}

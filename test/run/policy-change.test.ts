import { describe, expect, test } from "vitest";
import { type Begun, begin, type Delivery, finish, type Overlap, type Protocol } from "../../lib/run/index.ts";
import { again, first, Model, manual, T0 } from "./model.ts";

// While a new policy is deployed, deliveries of one run can meet by the old one and by the new one.
const SECOND = 1_000;
/** So many requests of both in every order; then one goes on to its end, then the other. */
const MOVES = 7;
/** More than either has left by then. */
const ALL = 20;

describe.each<[Overlap, Overlap]>([
  ["skip", "allow"],
  ["allow", "skip"],
  ["queue", "allow"],
  ["allow", "replace"],
])("two deliveries of one run, one with overlap %s and one with %s", (one, other) => {
  test("start a manual run once, however their requests interleave", () => {
    const twin = { ...manual, owner: "owner-4", deliveryId: "delivery-4", requestId: "request-4" };
    expect(
      startedTwice(
        () => new Model(),
        [
          { ...manual, overlap: one },
          { ...twin, overlap: other },
        ],
      ),
    ).toBeUndefined();
  });

  test.each([one, other])("start a further attempt once, after a first one by %s", (before) => {
    const failedOnce = () => {
      const model = new Model();
      model.perform(finish(model.hold({ ...first, overlap: before }), { status: "FAILED", endedMs: T0 + SECOND }));
      return model;
    };
    const retry = again(first, T0 + 60 * SECOND);
    const twin = { ...retry, owner: "owner-4", deliveryId: "delivery-4", requestId: "request-4" };
    expect(
      startedTwice(failedOnce, [
        { ...retry, overlap: one },
        { ...twin, overlap: other },
      ]),
    ).toBeUndefined();
  });
});

/** An order in which the requests of both lead to two handlers. */
function startedTwice(world: () => Model, deliveries: readonly [Delivery, Delivery]): string | undefined {
  const orders = Array.from({ length: 2 ** MOVES }, (_, n) => n.toString(2).padStart(MOVES, "0"));
  return orders.find((order) => {
    const model = world();
    model.nowMs = deliveries[0].receivedMs;
    const [one, other] = deliveries.map((delivery) => walk(begin(delivery), model)) as [Walk, Walk];
    for (const move of order) (move === "0" ? one : other).next();
    const ends = [one, other].map((begun) => begun.next(ALL));
    if (!ends.some((begun) => begun.kind === "held")) throw new Error(`${order}: nobody runs`);
    return ends.every((begun) => begun.kind === "held");
  });
}

interface Walk {
  /** Sends that many requests more; what `begin` answered, once it has. */
  next(count?: number): Begun;
}

function walk(protocol: Protocol<Begun>, model: Model): Walk {
  let step = protocol.next();
  return {
    next(count = 1) {
      for (let sent = 0; sent < count && !step.done; sent++) step = protocol.next(model.send(step.value));
      return step.value as Begun;
    },
  };
}

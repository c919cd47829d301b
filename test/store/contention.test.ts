import { expect } from "vitest";
import type { Begun } from "../../lib/run/index.ts";
import { delivery, MINUTE, openScene, T0, test } from "./scene.ts";

const ROUNDS = 40;
const CONTENDERS = 25;

test(`${ROUNDS} rounds of ${CONTENDERS} deliveries at once have one winner each`, async ({ scene }) => {
  for (let round = 0; round < ROUNDS; round++) {
    const at = T0 + round * MINUTE;
    scene.nowMs = at;
    const answers = await Promise.all(Array.from({ length: CONTENDERS }, () => scene.begin(delivery({ at }))));
    const winners = answers.filter(isHeld);
    expect(winners).toHaveLength(1);
    expect(answers.filter(({ kind }) => kind === "duplicate")).toHaveLength(CONTENDERS - 1);
    for (const { hold } of winners) await scene.finish(hold);
  }
  // A thousand deliveries and their looks: seconds when the machine is idle.
}, 180_000);

test("a crowd of different occurrences at a dead lease has one winner", async () => {
  const scene = await openScene({ returnsItem: false });
  await scene.hold(delivery());
  scene.nowMs = T0 + 10 * MINUTE;
  const receivedMs = scene.nowMs;
  const times = Array.from({ length: CONTENDERS }, (_, place) => T0 + (place + 1) * MINUTE);
  const answers = await Promise.all(times.map((at) => scene.begin(delivery({ at, receivedMs }))));
  expect(answers.filter(isHeld)).toHaveLength(1);
  expect(answers.filter(({ kind }) => kind === "skipped" || kind === "come-again")).toHaveLength(CONTENDERS - 1);
  await scene.table.close();
});

function isHeld(begun: Begun): begun is Extract<Begun, { kind: "held" }> {
  return begun.kind === "held";
}

import { expect, test } from "vitest";
import { type Simulated, simulate } from "./world.ts";

/** Seconds in the suite; `SIMULATION_WORLDS=100000` for an hour's walk. */
const SEEDS = Number(process.env["SIMULATION_WORLDS"] ?? 300);

test("weeks of bursts, under one policy after the other, break no invariant, and many runs wait for their turn", () => {
  let turns = 0;
  for (let seed = 1; seed <= 6; seed++) turns += replayable(seed, 40).turns;
  // 10 days each, of two jobs.
  expect(turns).toBeGreaterThan(100);
}, 600_000);

test(`${SEEDS} random worlds break no invariant`, () => {
  const first = Number(process.env["SIMULATION_SEED"] ?? 1);
  let handlers = 0;
  const bursts = Number(process.env["SIMULATION_BURSTS"] ?? 1);
  for (let seed = first; seed < first + SEEDS; seed++) handlers += replayable(seed, bursts).handlers;
  // That it tried something: more than one handler for each of the worlds.
  expect(handlers).toBeGreaterThan(SEEDS);
}, 3_600_000);

function replayable(seed: number, bursts: number): Simulated {
  try {
    return simulate({ seed, bursts });
  } catch (error) {
    throw new Error(`Replay with SIMULATION_SEED=${seed} SIMULATION_BURSTS=${bursts}`, { cause: error });
  }
}

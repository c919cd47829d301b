import { expect, test } from "vitest";
import { tempFolder } from "../local/temp-folder.ts";
import { excerpt, summary } from "./report.ts";
import { runChaos } from "./world.ts";

// See docs/testing.md. Time is warped; on a busy machine it runs slower, and the tests take longer.
const SECOND = 1_000;
const timeout = 900 * SECOND;

test("fifty seconds of chaos break nothing", { timeout }, async () => {
  const jobs = ["skip", "heartbeat", "allow"];
  const { violations, history } = await runChaos({ seed: 20, dir: tempFolder(), lastsMs: () => 50 * SECOND, jobs });
  const [first = ""] = violations;
  const told = excerpt(history, first).map((entry) => JSON.stringify(entry));
  expect(violations, told.join("\n")).toEqual([]);
  // That it tried something.
  const { handlers, faults } = summary(history);
  expect(handlers).toBeGreaterThan(5);
  expect(faults).toBeGreaterThan(5);
});

test("a lock that can be taken while it is held is noticed", { timeout }, async () => {
  const found: string[] = [];
  // It takes two occurrences that meet, which one seed may miss. What it breaks first is up to the machine: two handlers at
  // work (I1), or a skip for a lock that was taken since (I8).
  for (let seed = 1; seed <= 8 && found.length === 0; seed++) {
    const world = { seed, dir: tempFolder(), lastsMs: () => 30 * SECOND, jobs: ["skip"] };
    found.push(...(await runChaos({ ...world, mutant: "takes a lock that is held" })).violations);
  }
  expect(found).not.toEqual([]);
});

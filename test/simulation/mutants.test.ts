import { expect, test } from "vitest";
import type { Command } from "../../lib/run/index.ts";
import type { Item, Request } from "../../lib/store/request.ts";
import { Violation } from "./invariants.ts";
import { without } from "./without.ts";
import { simulate } from "./world.ts";

const ENOUGH_SEEDS = 2_000;

// Each takes clauses out of one command's condition, by their places in lib/store/commands.ts and conditions.ts.
// Some are needed only together: a lease that changed has mostly a new fence, too. test/store/holes.test.ts shows the
// interleavings that need one of them alone.
test.each<[string, Command["kind"], readonly number[]]>([
  ["takes a lock that is held", "acquire-newest", [0]],
  ["starts at once on a paused job", "acquire-newest", [1]],
  ["starts an old occurrence unread", "acquire-newest", [2]],
  ["lets a newcomer overtake those who wait", "acquire-newest", [3]],
  ["takes the lock whatever happened since the look", "acquire-as-seen", [0, 1]],
  ["starts on a job that was paused since the look", "acquire-as-seen", [2]],
  ["lets an acquire move the mark back", "acquire-as-seen", [3]],
  ["skips whatever happened since the look", "raise-high-water", [0, 1]],
  ["lets a skip move the mark back", "raise-high-water", [2]],
  ["removes a lease that is no longer the dead one", "remove-dead-lease", [0, 1]],
  ["renews a lease whoever's it is by now", "renew", [0, 1]],
  ["releases whoever holds the lock", "release", [0]],
  ["takes anybody's entry out of the queue", "leave-queue", [0]],
  ["lets two claim one run", "put-as-seen", [0, 1]],
  ["replaces any record", "put-record", [0, 1, 2]],
  ["skips a run that has a record", "put-skipped", [0]],
  ["asks a holder that has gone to stop", "ask-to-stop", [0, 1]],
  ["takes a shared lock that is held", "take-lock", [0]],
])(
  "the simulation catches a store that %s",
  (_name, kind, places) => {
    const isCaught = findSeed((request, command) => (command.kind === kind ? without(request, places) : request));
    expect(isCaught).toBeDefined();
  },
  600_000,
);

test("the simulation catches a lease that ends with its process, and not with its hold", () => {
  expect(findSeed(withoutHold)).toBeDefined();
}, 600_000);

function withoutHold(request: Request): Request {
  const lease = request.kind === "update" ? (request.set["lease"] as Item | undefined) : undefined;
  if (request.kind !== "update" || !lease) return request;
  const expiresAt = new Date(Date.parse(String(lease["expiresAt"])) - Number(lease["holdMs"] ?? 0)).toISOString();
  return { ...request, set: { ...request.set, lease: { ...lease, expiresAt } } };
}

function findSeed(mutate: (request: Request, command: Command) => Request): number | undefined {
  for (let seed = 1; seed <= ENOUGH_SEEDS; seed++) {
    try {
      simulate({ seed, mutate });
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
      return seed;
    }
  }
  return undefined;
}

import { describe, expect, test } from "vitest";
import { explore } from "./explore.ts";
import { MUTANTS } from "./mutants.ts";
import { LARGE_SCOPES, SMALL_SCOPES } from "./scopes.ts";

const BY_NAME = SMALL_SCOPES.map((scope) => [scope.name, scope] as const);

describe("no interleaving breaks an invariant", () => {
  test.each(BY_NAME)(
    "scope %s",
    (_name, scope) => {
      const { states, violation, trace } = explore(scope);
      expect(violation, trace.join("\n")).toBeUndefined();
      // That it went somewhere.
      expect(states).toBeGreaterThan(1_000);
      console.log(`${scope.name}: ${states} states`);
    },
    600_000,
  );
});

describe("an exploration catches a protocol that", () => {
  test.each(Object.entries(MUTANTS))(
    "%s",
    (_name, [where, breaks, mutant]) => {
      const scope = [...SMALL_SCOPES, ...LARGE_SCOPES].find(({ name }) => name === where);
      expect(scope && explore(scope, mutant).violation).toContain(breaks);
    },
    600_000,
  );
});

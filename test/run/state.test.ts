import { describe, expect, test } from "vitest";
import { isDead, isHeldOver, processEndMs } from "../../lib/run/state.ts";
import { T0 } from "./model.ts";

const SECOND = 1_000;

describe("a lease", () => {
  /** Its process ends after one minute at the latest; for forty seconds more it only keeps others from the lock. */
  const holding = { expiresAtMs: T0 + 100 * SECOND, holdMs: 40 * SECOND };
  const plain = { expiresAtMs: T0 + 60 * SECOND };

  test("outlasts its process by its hold, where it has one", () => {
    expect(processEndMs(holding)).toBe(T0 + 60 * SECOND);
    expect(processEndMs(plain)).toBe(T0 + 60 * SECOND);
  });

  test("is dead once the tolerance for clocks, five seconds, is over, too", () => {
    expect(isDead(plain, T0 + 65 * SECOND)).toBe(false);
    expect(isDead(plain, T0 + 65 * SECOND + 1)).toBe(true);
  });

  test("is held over from the end of its process, with that tolerance, until it is dead", () => {
    expect(isHeldOver(holding, T0 + 65 * SECOND)).toBe(false);
    expect(isHeldOver(holding, T0 + 65 * SECOND + 1)).toBe(true);
    expect(isHeldOver(holding, T0 + 105 * SECOND)).toBe(true);
    expect(isHeldOver(holding, T0 + 105 * SECOND + 1)).toBe(false);
  });

  test("without a hold is never held over", () => {
    expect(isHeldOver(plain, T0 + 65 * SECOND)).toBe(false);
    expect(isHeldOver(plain, T0 + 65 * SECOND + 1)).toBe(false);
  });
});

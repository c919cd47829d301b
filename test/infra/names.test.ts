import { describe, expect, test } from "vitest";
import { functionName, groupName, scheduleName } from "../../lib/infra/names.ts";

const longStack = "Escapement-feature-very-long-branch-name-1234567890";
const longJob = "monthly-customer-statement-generation-and-archive";

describe("names of AWS resources", () => {
  test("are the stack's and the job's, joined", () => {
    expect(functionName("Escapement-dev", "nightly")).toBe("Escapement-dev_nightly");
    expect(scheduleName("nightly", "default")).toBe("nightly");
    expect(scheduleName("nightly", "asia")).toBe("nightly.asia");
    expect(groupName("Escapement-dev")).toBe("Escapement-dev");
  });

  test("CD-01: are cut at 64 characters, with both parts readable and a hash at the end", () => {
    const name = functionName(longStack, longJob);
    expect(name).toMatch(/^Escapement-feature-v_monthly-customer-statement-generat-[0-9a-f]{8}$/);
    expect(name).toHaveLength(64);
    expect(functionName(longStack, longJob)).toBe(name);
  });

  test("CD-01: a short job's name is kept whole, the stack's is cut", () => {
    expect(functionName("S".repeat(128), "nightly")).toMatch(/^S{47}_nightly-[0-9a-f]{8}$/);
  });

  test("names of exactly 64 characters stay as they are", () => {
    const job = "j".repeat(49);
    expect(functionName("Escapement-dev", job)).toBe(`Escapement-dev_${job}`);
    expect(functionName("Escapement-dev", `${job}j`)).toMatch(/-[0-9a-f]{8}$/);
  });

  test("CD-03: two stages differ even where the difference is cut off", () => {
    const stage = "x".repeat(80);
    expect(functionName(`Escapement-${stage}-1`, longJob)).not.toBe(functionName(`Escapement-${stage}-2`, longJob));
    expect(groupName(`Escapement-${stage}-1`)).not.toBe(groupName(`Escapement-${stage}-2`));
  });

  test("CD-03: no two stacks share a name, also where one's name is the beginning of the other's", () => {
    expect(functionName("Escapement-dev", "eu-report")).not.toBe(functionName("Escapement-dev-eu", "report"));
  });

  test.each([
    [longStack, longJob],
    ["S".repeat(128), "j".repeat(64)],
    ["A", "b"],
  ])("CD-22: %s and %s stay within what every service allows", (stack, job) => {
    for (const name of [functionName(stack, job), scheduleName(job, "s".repeat(64)), groupName(stack)]) {
      expect(name).toMatch(/^[0-9a-zA-Z_.-]{1,64}$/);
    }
    expect(functionName(stack, job)).toMatch(/^[0-9a-zA-Z_-]{1,64}$/);
  });
});

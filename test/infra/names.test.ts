import { describe, expect, test } from "vitest";
import { fleetPrefix, functionName, groupName, policyName, scheduleName, shardName } from "../../lib/infra/names.ts";

const longStack = "Escapement-feature-very-long-branch-name-1234567890";
const longJob = "monthly-customer-statement-generation-and-archive";

describe("names of AWS resources", () => {
  test("are the stack's and the job's, joined", () => {
    expect(functionName("Escapement-dev", "nightly")).toBe("Escapement-dev_nightly");
    expect(scheduleName("nightly", "default")).toBe("nightly");
    expect(scheduleName("nightly", "asia")).toBe("nightly.asia");
    expect(groupName("Escapement-dev")).toBe("Escapement-dev");
  });

  test("CD-01: are cut at 64 characters, each part readable and with a hash of the whole", () => {
    const name = functionName(longStack, longJob);
    expect(name).toMatch(/^Escapement-feature-[0-9a-f]{8}_monthly-customer-statement-[0-9a-f]{8}$/);
    expect(name.length).toBeLessThanOrEqual(64);
    expect(functionName(longStack, longJob)).toBe(name);
  });

  test("CD-01: a short job's name is kept whole, the stack's is cut", () => {
    expect(functionName("S".repeat(128), "nightly")).toMatch(/^S{19}-[0-9a-f]{8}_nightly$/);
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

  test("begin with their fleet's prefix, which no other stack's have, so that a right on all of them reaches no more", () => {
    expect(fleetPrefix("Escapement-dev")).toBe("Escapement-dev");
    expect(functionName("Escapement-dev-eu", "nightly").startsWith("Escapement-dev_")).toBe(false);
    expect(functionName(longStack, longJob).startsWith(`${fleetPrefix(longStack)}_`)).toBe(true);
    expect(fleetPrefix(`${longStack}-1`)).not.toBe(fleetPrefix(`${longStack}-2`));
  });

  test("of shards and managed policies are the stack's with an end, and stay within 128 characters", () => {
    expect(shardName("Escapement-prod", 7)).toBe("Escapement-prod-shard-7");
    expect(shardName("S".repeat(128), 64)).toMatch(/^S{110}-[0-9a-f]{8}-shard-64$/);
    expect(policyName("Escapement-prod", "eu-central-1", "read")).toBe("Escapement-prod-eu-central-1-read");
    expect(policyName("S".repeat(128), "ap-southeast-1", "operate")).toHaveLength(126);
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

import { describe, expect, test } from "vitest";
import { type JobOptions, rate } from "../../lib/index.ts";
import { parseJob } from "../../lib/lambda/job.ts";

const parse = (options: Partial<JobOptions>) => parseJob("nightly", { schedule: rate("1 hour"), ...options });

describe("what a function is made of", () => {
  test("is taken as it is said", () => {
    const said = {
      memoryMb: 10_240,
      architecture: "x86_64",
      ephemeralStorageMb: 512,
      reservedConcurrency: 1,
      environment: { REGION: "eu" },
      layers: ["arn:aws:lambda:eu-central-1:123456789012:layer:sharp:3"],
      bundling: { external: ["sharp"], loader: { ".sql": "text" } },
    } as const;
    expect(parse({ function: said }).function).toEqual(said);
  });

  test.each<[unknown, string]>([
    [
      { memory: 512 },
      'unknown option "function.memory". Did you mean "function.memoryMb"? Allowed: memoryMb, architecture, ephemeralStorageMb, reservedConcurrency, environment, layers, bundling.',
    ],
    [{ memoryMb: 127 }, "function.memoryMb is 127. Allowed: a whole number from 128 to 10240."],
    [{ architecture: "arm" }, 'function.architecture is "arm". Allowed: "arm64", "x86_64".'],
    [{ reservedConcurrency: 0 }, "function.reservedConcurrency is 0. Allowed: a whole number from 1 to 1000."],
    [{ environment: { RETRIES: 3 } }, "function.environment.RETRIES is 3. Allowed: text."],
    [
      { environment: { AWS_REGION: "x" } },
      'function.environment has the name "AWS_REGION". Allowed: at least 2 characters, a letter, then letters, digits and _; no name that Lambda or the stack sets itself.',
    ],
    [
      { environment: { ESCAPEMENT_JOB: "x" } },
      'function.environment has the name "ESCAPEMENT_JOB". Allowed: at least 2 characters, a letter, then letters, digits and _; no name that Lambda or the stack sets itself.',
    ],
    [
      { environment: { A: "x" } },
      'function.environment has the name "A". Allowed: at least 2 characters, a letter, then letters, digits and _; no name that Lambda or the stack sets itself.',
    ],
    [
      { layers: ["sharp"] },
      'function.layers is ["sharp"]. Allowed: up to 5 ARNs of layer versions, such as "arn:aws:lambda:eu-central-1:123456789012:layer:sharp:3".',
    ],
    [
      { bundling: { external: "sharp" } },
      'function.bundling.external is "sharp". Allowed: names of packages, such as ["sharp"].',
    ],
    [
      { bundling: { loader: { sql: "text" } } },
      'function.bundling.loader is "sql". Allowed: file endings, such as ".sql".',
    ],
  ])("%j is refused", (options, problem) => {
    expect(() => parse({ function: options as never })).toThrow(`Job nightly: ${problem}`);
  });

  test.each(["Maintenance", "", "a".repeat(65), 3])("a group is not called %j", (group) => {
    expect(() => parse({ group: group as string })).toThrow(
      /^Job nightly: group is .*\. Allowed: 1-64 small letters, digits and "-"\.$/,
    );
  });

  test.each(["4 minutes", "25 hours"])(
    "a lateness of %s is refused: less is a fault of the store, more nobody delivers",
    (maxLateness) => {
      expect(() => parse({ maxLateness: maxLateness as "4 minutes" })).toThrow(
        `Job nightly: maxLateness is "${maxLateness}". Allowed: from "5 minutes" to "24 hours", in seconds, minutes, hours or days.`,
      );
    },
  );
});

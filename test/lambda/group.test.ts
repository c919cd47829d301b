import type { Context } from "aws-lambda";
import { afterEach, describe, expect, test, vi } from "vitest";
import { groupHandler } from "../../lib/lambda/group.ts";

const context = {} as Context;
const seen: string[] = [];
const handler = groupHandler({
  clean: async () => seen.push(`clean as ${process.env["ESCAPEMENT_JOB"]}`),
  sweep: async () => seen.push(`sweep as ${process.env["ESCAPEMENT_JOB"]}`),
});

describe("a function of several jobs", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    seen.length = 0;
  });

  test("runs the job that the schedule, the operator or the run request names", async () => {
    vi.stubEnv("ESCAPEMENT_JOB", "");
    await handler({ escapement: { job: "clean", schedule: "default" } }, context);
    await handler(
      { source: "escapement", "detail-type": "Run Requested", detail: { stack: "s", job: "sweep" } },
      context,
    );
    expect(seen).toEqual(["clean as clean", "sweep as sweep"]);
  });

  test.each([
    [{}, "the event's escapement.job is undefined. Allowed: clean, sweep."],
    [null, "the event's escapement.job is undefined. Allowed: clean, sweep."],
    [
      { escapement: { job: "sweeep" } },
      'the event\'s escapement.job is "sweeep". Did you mean "sweep"? Allowed: clean, sweep.',
    ],
    [{ escapement: { job: 7 } }, "the event's escapement.job is 7. Allowed: clean, sweep."],
  ])("refuses %j, which names none of them", async (event, problem) => {
    await expect(handler(event, context)).rejects.toMatchObject({
      code: "INVALID_EVENT",
      message: `This function runs several jobs, and ${problem}`,
    });
    expect(seen).toEqual([]);
  });
});

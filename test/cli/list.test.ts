import { expect, test } from "vitest";
import { noJobsText, schedulesCell } from "../../lib/cli/list.ts";

const schedule = (name: string, description: string) => ({
  name,
  expression: `cron of ${name}`,
  timeZone: "UTC",
  description,
  warnings: [],
});

test("two schedules of a job are told apart by their names; a single one needs none", () => {
  const morning = schedule("morning", "At 06:00, UTC");
  const evening = schedule("evening", "At 18:00, UTC");
  expect(schedulesCell([morning, evening])).toBe(
    "morning: At 06:00, UTC\ncron of morning\nevening: At 18:00, UTC\ncron of evening",
  );
  expect(schedulesCell([morning])).toBe("At 06:00, UTC\ncron of morning");
});

test("a stack without jobs is told that it has just been deployed, a folder that there are none", () => {
  expect(noJobsText({ kind: "stack" })).toContain("within five minutes of a deployment");
  expect(noJobsText({ kind: "local" })).toContain("put one into functions/");
});

/** A new job's file and its test, by their paths in the project. */
export function jobFiles(job: string, options: { vitest: boolean }): Record<string, string> {
  return {
    [`functions/${job}.ts`]: source(job),
    [`test/${job}.test.ts`]: options.vitest ? vitest(job) : nodeTest(job),
  };
}

function source(job: string): string {
  return `import { cron, type Run, scheduled } from "escapement";

/** Works for the time that a run is of, never for the clock's: a run that comes late, or again, then does the same work. */
export const handler = scheduled(
  {
    description: "What ${job} does, in a line",
    schedule: cron("0 6 * * ? *", { timeZone: "UTC" }),
    timeout: "1 minute",
  },
  work,
);

export async function work(run: Pick<Run, "scheduledTime">) {
  const day = run.scheduledTime.toISOString().slice(0, 10);
  return { day };
}
`;
}

function nodeTest(job: string): string {
  return `import { deepEqual } from "node:assert/strict";
import { test } from "node:test";
import { work } from "../functions/${job}.ts";

test("it works for the day of its scheduled time", async () => {
  deepEqual(await work({ scheduledTime: new Date("2026-05-02T06:00:00Z") }), { day: "2026-05-02" });
});
`;
}

function vitest(job: string): string {
  return `import { expect, test } from "vitest";
import { work } from "../functions/${job}.ts";

test("it works for the day of its scheduled time", async () => {
  expect(await work({ scheduledTime: new Date("2026-05-02T06:00:00Z") })).toEqual({ day: "2026-05-02" });
});
`;
}

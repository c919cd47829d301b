import { expect, onTestFinished, test, vi } from "vitest";
import { type RunnerEvent, startRunner } from "../../lib/local/index.ts";
import { writeAssembly } from "./assembly-fixture.ts";
import { ManualClock } from "./manual-clock.ts";
import { tempFolder } from "./temp-folder.ts";

const printing = { source: "export const handler = async () => console.log('hi');", schedule: "cron(0 12 * * ? *)" };

test.each([
  ["rejects", () => Promise.reject(new Error("cannot print"))],
  [
    "throws",
    () => {
      throw new Error("cannot print");
    },
  ],
])("a listener that %s harms nothing that the runner does, and that is said once", async (_how, fail) => {
  const warned = vi.fn();
  process.on("warning", warned);
  onTestFinished(() => {
    process.off("warning", warned);
  });
  const clock = new ManualClock("2026-05-01T11:59:30Z");
  const told: RunnerEvent["kind"][] = [];
  const runner = await startRunner({
    stateDir: tempFolder(),
    assemblyDir: writeAssembly({ fn: printing }),
    clock,
    onEvent: ({ kind }) => {
      told.push(kind);
      return fail();
    },
  });
  onTestFinished(() => runner.abort());
  await clock.moveTo("2026-05-01T12:00:00Z");
  await vi.waitFor(() => expect(told).toEqual(["delivered", "started", "log", "finished"]), 10_000);
  expect(warned.mock.calls).toEqual([
    [
      expect.objectContaining({
        message: expect.stringMatching(/^onEvent failed, and the runner goes on: Error: cannot print\n/),
      }),
    ],
  ]);
});

import { expect, onTestFinished, test } from "vitest";
import { readAssembly } from "../../lib/local/assembly.ts";
import { Closers } from "../../lib/local/closers.ts";
import { Faults } from "../../lib/local/faults.ts";
import { jobViews } from "../../lib/local/job-views.ts";
import { openGround } from "../../lib/local/runner-ground.ts";
import { RunningAssembly } from "../../lib/local/running-assembly.ts";
import { writeAssembly } from "./assembly-fixture.ts";
import { ManualClock } from "./manual-clock.ts";
import { tempFolder } from "./temp-folder.ts";

const source = "export const handler = () => {};";

test("LD-07: whoever hears that a renamed schedule fires finds it, and not the one before, among the jobs", async () => {
  const clock = new ManualClock("2026-05-01T10:00:00Z");
  const stateDir = tempFolder();
  const closers = new Closers();
  onTestFinished(() => closers.close());
  const heard: string[] = [];
  const tell = ({ kind }: { kind: string }) => {
    if (kind !== "delivered") return;
    const jobs = jobViews(running.assembly, (schedule) => running.scheduler.compiled(schedule), clock.nowMs());
    heard.push(
      `${jobs.flatMap(({ schedules }) => schedules.map(({ name }) => name))} of ${[...running.functions.keys()]}`,
    );
  };
  const ground = await openGround({ stateDir }, { stateDir, clock, faults: new Faults(), tell }, closers);
  const assemblyOf = (name: string) => readAssembly(writeAssembly({ [name]: { source, schedule: "rate(1 day)" } }));
  const running = new RunningAssembly(assemblyOf("before"), ground, tempFolder(), clock.nowMs());
  closers.add(() => running.close());

  // A rate that is new fires at once.
  running.replace(assemblyOf("renamed"), clock.nowMs());
  expect(heard).toEqual(["renamed of renamed"]);
});

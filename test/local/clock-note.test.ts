import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startRunner } from "../../lib/local/index.ts";
import { writeAssembly } from "./assembly-fixture.ts";
import { ManualClock } from "./manual-clock.ts";
import { post, running } from "./running.ts";
import { tempFolder } from "./temp-folder.ts";

const quiet = { fn: { source: "export const handler = async () => {};" } };
const hanging = { fn: { source: "export const handler = () => new Promise(() => {});", timeoutSeconds: 600 } };

/** Starts on the folder at this time, and ends. */
async function startAt(stateDir: string, iso: string, fresh = false): Promise<void> {
  const runner = await startRunner({
    stateDir,
    assemblyDir: writeAssembly(quiet),
    fresh,
    clock: new ManualClock(iso),
  });
  await runner.abort();
}

/** The folder as it is now: what `kill -9` would leave. */
function copyOf(stateDir: string): string {
  const copy = tempFolder();
  for (const name of ["clock.json", "queue"]) cpSync(join(stateDir, name), join(copy, name), { recursive: true });
  return copy;
}

describe("a clock behind what the folder holds is refused, with the ways out:", () => {
  test("behind the end of the last runner", async () => {
    const stateDir = tempFolder();
    const clock = new ManualClock("2026-10-25T00:00:00Z");
    const runner = await startRunner({ stateDir, assemblyDir: writeAssembly(quiet), clock });
    await clock.moveTo("2026-10-25T00:00:20Z");
    await runner.abort();

    // The protocol allows for 5 s between two clocks.
    await startAt(stateDir, "2026-10-25T00:00:15Z");
    await expect(startAt(stateDir, "2026-10-25T00:00:09Z")).rejects.toMatchObject({
      code: "CLOCK_BEHIND",
      exitCode: 2,
      message: `It is 2026-10-25T00:00:09.000Z, and ${stateDir} holds what happened until 2026-10-25T00:00:20.000Z: its runs would lie in the future. Start with --now 2026-10-25T00:00:20.000Z or later, with another --state-dir, or with --fresh, which forgets them.`,
    });
    await startAt(stateDir, "2026-10-25T00:00:09Z", true);
  });

  test("of a runner that was killed, behind the last thing that happened", async () => {
    const clock = new ManualClock("2026-10-25T00:00:00Z");
    const { stateDir, info, heard } = await running(hanging, { clock });
    await clock.moveTo("2026-10-25T00:00:29Z");
    await post(info, "fn", "{}");
    await heard("delivered");
    await expect(startAt(copyOf(stateDir), "2026-10-25T00:00:20Z")).rejects.toMatchObject({ code: "CLOCK_BEHIND" });
  });

  test("of a runner that was killed while a handler was at work for long, behind the last half of a minute", async () => {
    const clock = new ManualClock("2026-10-25T00:00:00Z");
    const { stateDir, info, heard } = await running(hanging, { clock });
    await post(info, "fn", "{}");
    await clock.moveTo("2026-10-25T00:00:00Z");
    await heard("started");
    await clock.moveTo("2026-10-25T00:02:29Z");
    await expect(startAt(copyOf(stateDir), "2026-10-25T00:01:50Z")).rejects.toMatchObject({
      message: expect.stringContaining("until 2026-10-25T00:02:00.000Z"),
    });
  });
});

test("a start that fails leaves the folder to any clock", async () => {
  const stateDir = tempFolder();
  const failed = startRunner({
    stateDir,
    assemblyDir: tempFolder(),
    clock: new ManualClock("2030-01-01T00:00:00Z"),
  });
  await expect(failed).rejects.toMatchObject({ code: "BAD_ASSEMBLY" });
  await startAt(stateDir, "2026-10-25T00:00:00Z");
});

test("a note that cannot be read ends the start, and says what to delete", async () => {
  const stateDir = tempFolder();
  await startAt(stateDir, "2026-10-25T00:00:00Z");
  const file = join(stateDir, "clock.json");
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ untilMs: Date.UTC(2026, 9, 25) });
  writeFileSync(file, '{"untilMs":"soon"}');
  await expect(startAt(stateDir, "2026-10-25T00:00:00Z")).rejects.toMatchObject({
    code: "FOLDER_BROKEN",
    message: `${file} cannot be read: untilMs is missing or wrong. Delete it: a clock behind what the folder holds is then not noticed.`,
  });
  rmSync(file);
  await startAt(stateDir, "2026-10-25T00:00:00Z");
});

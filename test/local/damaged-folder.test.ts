import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startRunner } from "../../lib/local/index.ts";
import { LogFile } from "../../lib/local/log-file.ts";
import { connectLocal } from "../../lib/operations/connect-local.ts";
import { listDeadLetters } from "../../lib/operations/dead-letters.ts";
import { localDeadLetters } from "../../lib/operations/local-dead-letters.ts";
import { writeAssembly } from "./assembly-fixture.ts";
import { ManualClock } from "./manual-clock.ts";
import { running } from "./running.ts";
import { tempFolder } from "./temp-folder.ts";

const quick = { source: "export const handler = async () => {};" };
const hourly = { ...quick, schedule: "cron(0 * * * ? *)" };

// Events in queue/ are in async-queue.test.ts, schedules.json in scheduler.test.ts, a table's full disk in full-disk.test.ts.

describe("a folder of LevelDB", () => {
  test.each([
    ["dynamodb", "garbage in CURRENT", (dir: string) => writeFileSync(join(dir, "CURRENT"), "garbage"), "--fresh"],
    ["dynamodb", "an empty MANIFEST", (dir: string) => truncateSync(manifestOf(dir)), "--fresh"],
    ["dynamodb.lock", "garbage in CURRENT", (dir: string) => writeFileSync(join(dir, "CURRENT"), "x"), "nothing"],
    ["lock", "garbage in CURRENT", (dir: string) => writeFileSync(join(dir, "CURRENT"), "x"), "nothing"],
  ])("%s with %s is named, with a way out that helps", async (name, _what, damage, wayOut) => {
    const { stateDir, runner } = await running({ fn: quick });
    await runner.abort();
    const dir = join(stateDir, name);
    damage(dir);
    const message =
      wayOut === "--fresh"
        ? /cannot be opened: .* If the folder is damaged, start with --fresh; what it holds is lost then\.$/
        : /cannot be opened: .* If the folder is damaged, delete it: it holds nothing\.$/;
    const start = () => startRunner({ stateDir, assemblyDir: runner.paths.assembly });
    await expect(start()).rejects.toMatchObject({ code: "FOLDER_BROKEN", message: expect.stringMatching(message) });
    if (wayOut === "nothing") rmSync(dir, { recursive: true });
    const next = await running({ fn: quick }, { stateDir, fresh: wayOut === "--fresh" });
    expect((await next.finish("fn")).error).toBeUndefined();
  });
});

describe("a runner.json", () => {
  test.each([
    ["that is cut off", '{"pid": 1'],
    ["that is empty", ""],
    ["of another kind", "[]"],
    ["without its fields", "{}"],
  ])("%s is named by what reads it, and the next runner writes it anew", async (_what, text) => {
    const stateDir = tempFolder();
    mkdirSync(join(stateDir, "dynamodb"));
    writeFileSync(join(stateDir, "runner.json"), text);
    await expect(connectLocal({ stateDir })).rejects.toMatchObject({
      code: "NO_STATE",
      message: expect.stringMatching(/runner\.json cannot be read, .*a runner writes it anew: npm start$/),
    });
    const { finish } = await running({ fn: quick }, { stateDir });
    expect((await finish("fn")).error).toBeUndefined();
  });
});

describe("a dead letter", () => {
  test.each([
    ["that is cut off", '{"version":'],
    ["of another kind", "null"],
    ["without its function", '{"timestamp":"2026-05-01T10:00:00Z","requestContext":{}}'],
    ["of a schedule, without its target", '{"timestamp":"2026-05-01T10:00:00Z","attributes":{}}'],
  ])("%s is listed as what cannot be read, beside the others, and stays", async (_what, text) => {
    const stateDir = tempFolder();
    const dir = join(stateDir, "dead-letters");
    mkdirSync(dir);
    const requestContext = {
      functionArn: "arn:aws:lambda:local:000000000000:function:bill",
      condition: "RetriesExhausted",
    };
    const good = { timestamp: "2026-05-01T10:00:00Z", requestContext, responsePayload: {}, requestPayload: { a: 1 } };
    writeFileSync(join(dir, "good.json"), JSON.stringify(good));
    writeFileSync(join(dir, "bad.json"), text);
    const letters = await listDeadLetters({ deadLetters: localDeadLetters(stateDir) });
    expect(letters.map(({ id }) => id)).toEqual(["good", "bad"]);
    expect(letters[0]).toMatchObject({ functionName: "bill", payload: { a: 1 } });
    expect(letters[1]?.error).toEqual({
      name: "Unreadable",
      message: expect.stringMatching(/bad\.json cannot be read: .+\. Put it right, or delete it\.$/),
    });
    expect(readFileSync(join(dir, "bad.json"), "utf8")).toBe(text);
  });
});

/** The kernel's own full disk: a write to it fails with ENOSPC. A file of ours is written by way of a draft beside it. */
describe.runIf(existsSync("/dev/full"))("on a full disk", () => {
  const fill = (file: string) => symlinkSync("/dev/full", file);
  const draftOf = (file: string) => `${file}.${process.pid}.draft`;

  test("a start that cannot write runner.json ends with the way out", async () => {
    const stateDir = tempFolder();
    fill(draftOf(join(stateDir, "runner.json")));
    await expect(startRunner({ stateDir, assemblyDir: writeAssembly({ fn: quick }) })).rejects.toMatchObject({
      code: "FOLDER_BROKEN",
      message: expect.stringMatching(
        /cannot be written: ENOSPC: .*\. Make room on its disk, or use another folder with --state-dir\.$/,
      ),
    });
  });

  test("that the schedules' times cannot be written is said, with what follows from it, and they go on", async () => {
    const clock = new ManualClock("2026-05-01T11:59:30Z");
    const stateDir = tempFolder();
    fill(draftOf(join(stateDir, "schedules.json")));
    const { heard } = await running({ fn: hourly }, { stateDir, clock });
    await heard("warning", ({ message }) =>
      /schedules\.json could not be written: ENOSPC.* may name occurrences as missed/.test(message),
    );
    await clock.moveTo("2026-05-01T12:00:00Z");
    await heard("finished");
  });

  test("a log that cannot be written ends, and that is said once", () => {
    const dir = tempFolder();
    mkdirSync(join(dir, "2026-05-01"));
    fill(join(dir, "2026-05-01", "local-1.log"));
    const said: string[] = [];
    const log = new LogFile(dir, "2026-05-01/local-1", new ManualClock("2026-05-01T12:00:00Z"), (event) =>
      said.push("message" in event ? String(event.message) : ""),
    );
    log.append("a\n");
    log.append("b\n");
    expect(said).toEqual([expect.stringMatching(/^The log .*local-1\.log ends here: ENOSPC: /)]);
  });
});

function manifestOf(dir: string): string {
  return join(dir, readdirSync(dir).find((name) => name.startsWith("MANIFEST")) as string);
}

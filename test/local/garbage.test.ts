import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { timeText } from "../../lib/cli/times.ts";
import { startRunner } from "../../lib/local/index.ts";
import { QueueFiles } from "../../lib/local/queue-files.ts";
import { randomFrom } from "../../lib/local/random.ts";
import { readRunnerFile } from "../../lib/local/runner-file.ts";
import { listDeadLetters } from "../../lib/operations/dead-letters.ts";
import { localDeadLetters } from "../../lib/operations/local-dead-letters.ts";
import { localLogs } from "../../lib/operations/local-logs.ts";
import { writeAssembly } from "./assembly-fixture.ts";
import { running } from "./running.ts";
import { tempFolder } from "./temp-folder.ts";

const random = randomFrom(20_261_025);
const randomBytes = (length: number) => Buffer.from(Array.from({ length }, () => random.upTo(255)));

/** What may stand where a file of ours should: each puts it there. */
const garbage: [string, (path: string) => void][] = [
  ["random bytes", (path) => writeFileSync(path, randomBytes(2_000))],
  ["NULs", (path) => writeFileSync(path, Buffer.alloc(4_096))],
  ["a character that is cut off", (path) => writeFileSync(path, Buffer.from('{"requestId":"é').subarray(0, -1))],
  ["a line of 50 MB", (path) => writeFileSync(path, `{"a":"${"x".repeat(50_000_000)}`)],
  ["a folder", (path) => mkdirSync(path)],
];

/** A whole file of which some bits are others, in 300 ways. */
function* damaged(text: string): Generator<Buffer> {
  for (let round = 0; round < 300; round += 1) {
    const bytes = Buffer.from(text);
    for (let flips = random.upTo(3); flips >= 0; flips -= 1) {
      const at = random.upTo(bytes.length - 1);
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << random.upTo(7)), at);
    }
    yield random.chance(0.2) ? bytes.subarray(0, random.upTo(bytes.length)) : bytes;
  }
}

function folderIn(stateDir: string, ...names: string[]): string {
  const dir = join(stateDir, ...names);
  mkdirSync(dir, { recursive: true });
  return dir;
}

describe("in the queue", () => {
  const event = { functionName: "bill", payload: "{}", acceptedAtMs: 1, dueAtMs: 1, invocations: 0, failures: 0 };
  const open = () => {
    const stateDir = tempFolder();
    const said: string[] = [];
    const files = new QueueFiles(stateDir, (told) => said.push(told.kind === "warning" ? told.message : told.kind));
    files.save({ ...event, requestId: "good" });
    return { files, said, path: join(stateDir, "queue", "bad.json") };
  };

  test.each(garbage)("%s is put aside and named, and the others are read", (_what, put) => {
    const { files, said, path } = open();
    put(path);
    expect(files.load()).toEqual([{ ...event, requestId: "good" }]);
    expect(said).toEqual([expect.stringMatching(/bad\.json cannot be read \(.+\)\. It is kept as .+\.unreadable/s)]);
  });

  test("a file with wrong bits is read as an event of its name, or put aside", () => {
    const text = JSON.stringify({ ...event, requestId: "bad" });
    let asides = 0;
    for (const bytes of damaged(text)) {
      const { files, said, path } = open();
      writeFileSync(path, bytes);
      const ids = files.load().map(({ requestId }) => requestId);
      if (said.length === 0) expect(ids.sort()).toEqual(["bad", "good"]);
      else {
        expect(ids).toEqual(["good"]);
        expect(readFileSync(`${path}.unreadable`)).toEqual(bytes);
        asides += 1;
      }
    }
    expect(asides).toBeGreaterThan(100);
  });
});

describe("among the dead letters", () => {
  const good = {
    timestamp: "2026-05-01T10:00:00.000Z",
    requestContext: { functionArn: "arn:aws:lambda:local:000000000000:function:bill", condition: "RetriesExhausted" },
    requestPayload: { a: 1 },
    responsePayload: { errorType: "Error", errorMessage: "no" },
  };
  const open = () => {
    const stateDir = tempFolder();
    const dir = folderIn(stateDir, "dead-letters");
    writeFileSync(join(dir, "good.json"), JSON.stringify(good));
    return { path: join(dir, "bad.json"), list: () => listDeadLetters({ deadLetters: localDeadLetters(stateDir) }) };
  };

  test.each(garbage)("%s is listed as unreadable, beside the others", async (_what, put) => {
    const { path, list } = open();
    put(path);
    const letters = await list();
    expect(letters.map(({ id, error }) => [id, error?.name])).toEqual([
      ["good", "Error"],
      ["bad", "Unreadable"],
    ]);
  });

  test("a letter with wrong bits is listed, with a time that can be shown, or as unreadable", async () => {
    for (const bytes of damaged(JSON.stringify(good))) {
      const { path, list } = open();
      writeFileSync(path, bytes);
      const bad = (await list()).find(({ id }) => id === "bad");
      expect(bad).toBeDefined();
      if (bad?.at !== undefined) expect(timeText(bad.at)).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
    }
  });
});

describe("among the logs", () => {
  const line = JSON.stringify({ timestamp: "2026-05-01T10:00:00.000Z", message: "at work" });
  const open = () => {
    const stateDir = tempFolder();
    const dir = folderIn(stateDir, "logs", "fn", "2026-05-01");
    writeFileSync(join(dir, "good.log"), `${line}\n`);
    const read = () => localLogs(stateDir).read({ functionName: "fn", containsAny: ["at work"], limit: 10 });
    return { path: join(dir, "bad.log"), read };
  };

  test.each(garbage)("%s does not keep the lines of the others", async (_what, put) => {
    const { path, read } = open();
    put(path);
    expect((await read()).map(({ text }) => text)).toContain(line);
  });
});

describe("in the place of runner.json", () => {
  test.each(garbage)("%s is taken for no runner", (_what, put) => {
    const stateDir = tempFolder();
    put(join(stateDir, "runner.json"));
    expect(readRunnerFile(stateDir)).toBeUndefined();
  });
});

describe("a start", () => {
  const quick = { fn: { source: "export const handler = async () => {};" } };

  test.each(garbage)("with %s as its schedules.json ends, and says what to delete", async (_what, put) => {
    const stateDir = tempFolder();
    put(join(stateDir, "schedules.json"));
    await expect(startRunner({ stateDir, assemblyDir: writeAssembly(quick) })).rejects.toMatchObject({
      code: "FOLDER_BROKEN",
      message: expect.stringMatching(/schedules\.json cannot be read: .+ Delete it: rates then begin anew/s),
    });
  });

  test.each([
    ["queue", "a file", (path: string) => writeFileSync(path, "x")],
    ["dynamodb", "a file", (path: string) => writeFileSync(path, "x")],
    ["runner.json", "a folder", (path: string) => folderIn(path, "x")],
  ])("that finds %s to be %s ends, and says what to do", async (name, _what, put) => {
    const stateDir = tempFolder();
    put(join(stateDir, name));
    await expect(startRunner({ stateDir, assemblyDir: writeAssembly(quick) })).rejects.toMatchObject({
      code: "FOLDER_BROKEN",
      message: expect.stringMatching(new RegExp(`/${name}'.* Move it away: a file stands where a folder should`)),
    });
  });

  test("goes on with a folder among its logs, and keeps its own", async () => {
    const stateDir = tempFolder();
    for (let index = 0; index < 50; index += 1) folderIn(stateDir, "logs", "fn", `old-${index}.log`);
    const { finish, told } = await running(quick, { stateDir });
    expect((await finish("fn")).error).toBeUndefined();
    expect(told.filter(({ kind }) => kind === "warning")).toEqual([]);
  });
});

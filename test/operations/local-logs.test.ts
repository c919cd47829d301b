import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { localLogs } from "../../lib/operations/local-logs.ts";
import { tempFolder } from "../local/temp-folder.ts";

const said = (time: string, message: string) => JSON.stringify({ timestamp: `2026-05-02T${time}.000Z`, message });

/** The log of the function `nightly`: the sandbox of the name that sorts first is the younger one. */
function stateDirWith(younger: string[], older: string[]): string {
  const stateDir = tempFolder();
  const folder = join(stateDir, "logs/nightly/2026-05-02");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "a.log"), younger.join("\n"));
  writeFileSync(join(folder, "b.log"), older.join("\n"));
  return stateDir;
}

async function textsOf(stateDir: string, request: { sinceMs?: number; limit?: number; containsAny?: string[] }) {
  const lines = await localLogs(stateDir).read({ functionName: "nightly", containsAny: [], limit: 100, ...request });
  return lines.map(({ text }) => text);
}

test("the newest lines are told, whatever their sandbox is named", async () => {
  const stateDir = stateDirWith([said("04:00:00", "new")], [said("02:00:00", "old"), said("03:00:00", "middle")]);
  expect(await textsOf(stateDir, { limit: 2 })).toEqual([said("03:00:00", "middle"), said("04:00:00", "new")]);
});

test("a line without a time stays where its sandbox printed it, and says when that was", async () => {
  const stateDir = stateDirWith(["START", said("04:00:00", "new"), "raw"], [said("02:00:00", "old"), "raw, too"]);
  const lines = await localLogs(stateDir).read({ functionName: "nightly", containsAny: ["raw"], limit: 100 });
  expect(lines).toEqual([
    { stream: "2026-05-02/b", at: "2026-05-02T02:00:00Z", text: "raw, too" },
    { stream: "2026-05-02/a", at: "2026-05-02T04:00:00Z", text: "raw" },
  ]);
  expect((await textsOf(stateDir, {}))[2]).toBe("START");
});

test("what is older than was asked for is left out, to the millisecond", async () => {
  const stateDir = stateDirWith([said("04:00:00", "new")], [said("02:00:00", "old"), said("03:00:00", "middle")]);
  const sinceMs = Date.parse("2026-05-02T03:00:00Z");
  expect(await textsOf(stateDir, { sinceMs })).toEqual([said("03:00:00", "middle"), said("04:00:00", "new")]);
  expect(await textsOf(stateDir, { sinceMs: sinceMs + 1 })).toEqual([said("04:00:00", "new")]);
});

test("a metric says its time as metrics do; a file that says none, or nonsense, was printed when it was last written", async () => {
  const metric = JSON.stringify({ _aws: { Timestamp: Date.parse("2026-05-02T02:30:00Z") } });
  const nonsense = ["null", '{"timestamp":"soon"}', '{"_aws":{"Timestamp":1e99}}', "{", "2026-05-02T99:00:00Z\traw"];
  const stateDir = stateDirWith(nonsense, [said("02:00:00", "old"), metric, said("03:00:00", "new")]);
  const writtenAt = new Date("2026-05-02T02:45:00Z");
  utimesSync(join(stateDir, "logs/nightly/2026-05-02/a.log"), writtenAt, writtenAt);
  const all = [said("02:00:00", "old"), metric, ...nonsense, said("03:00:00", "new")];
  expect(await textsOf(stateDir, {})).toEqual(all);
  expect(await textsOf(stateDir, { sinceMs: writtenAt.getTime() + 1 })).toEqual([said("03:00:00", "new")]);
});

test("Lambda's START has the time of its invocation's first line that says one, and its END that of the last", async () => {
  const error = "2026-05-02T04:00:02.000Z\tb\tERROR\tInvoke Error\t{}";
  const lines = ["START a", said("03:00:00", "a"), "END a", "START b", error, "END b", "START c", "END c"];
  const stateDir = stateDirWith(lines, [said("04:00:01", "between")]);
  const writtenAt = new Date("2026-05-02T05:00:00.123Z");
  utimesSync(join(stateDir, "logs/nightly/2026-05-02/a.log"), writtenAt, writtenAt);
  const told = await localLogs(stateDir).read({ functionName: "nightly", containsAny: [], limit: 100 });
  expect(told.map(({ at, text }) => `${at} ${text.slice(0, 7)}`)).toEqual([
    "2026-05-02T03:00:00Z START a",
    `2026-05-02T03:00:00Z ${said("03:00:00", "a").slice(0, 7)}`,
    "2026-05-02T03:00:00Z END a",
    `2026-05-02T04:00:01Z ${said("04:00:01", "between").slice(0, 7)}`,
    "2026-05-02T04:00:02Z START b",
    "2026-05-02T04:00:02Z 2026-05",
    "2026-05-02T04:00:02Z END b",
    "2026-05-02T05:00:00.123Z START c",
    "2026-05-02T05:00:00.123Z END c",
  ]);
});

test("a line is told that has any of the texts that are asked for: a run's id, or a request's", async () => {
  const stack = "2026-05-02T04:00:01.000Z\trequest-1\tERROR\tInvoke Error\tError: no\\n    at handler";
  const stateDir = stateDirWith([said("04:00:00", "run-1"), stack, said("04:00:02", "run-2")], []);
  expect(await textsOf(stateDir, { containsAny: ["run-1", "request-1"] })).toEqual([said("04:00:00", "run-1"), stack]);
});

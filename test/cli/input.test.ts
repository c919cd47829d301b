import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readInput } from "../../lib/cli/input.ts";

let dir: string;
const read = (bytes: Buffer) => {
  const file = join(dir, "input.json");
  writeFileSync(file, bytes);
  return readInput(`@${file}`);
};

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "escapement-"));
});
afterAll(() => rmSync(dir, { recursive: true }));

describe("the file of an input", () => {
  test("is UTF-8, and keeps every character", async () => {
    expect(await read(Buffer.from('{"name": "Zoë \u{1f552} \ufffd"}'))).toEqual({ name: "Zoë \u{1f552} \ufffd" });
  });

  test("may begin with a byte order mark", async () => {
    expect(await read(Buffer.from('\ufeff{"month": 5}'))).toEqual({ month: 5 });
  });

  test.each([
    ["in Latin-1", Buffer.from('{\n  "name": "Zoë"\n}', "latin1"), "from line 2 on"],
    ["in UTF-16", Buffer.from('\ufeff{"name": "Zoë"}', "utf16le"), "from line 1 on"],
    ["cut off within a character", Buffer.from('{\n"name": "Zoë').subarray(0, -1), "from line 2 on"],
  ])("%s is refused with where", async (_, bytes, where) => {
    await expect(read(bytes)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining(`input.json is no UTF-8 ${where}: give JSON in UTF-8`),
    });
  });

  test("that is not there is refused", async () => {
    await expect(readInput("@nowhere.json")).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });
});

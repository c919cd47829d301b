import { describe, expect, test } from "vitest";
import { parseJson } from "../../lib/operations/json-text.ts";

describe("JSON that is read", () => {
  test.each([
    ["true", true],
    ['"1e999, {twice: 1, twice: 2}"', "1e999, {twice: 1, twice: 2}"],
    ['"a \\" : \\\\"', 'a " : \\'],
    ['[{"a":1},{"a":{"a":2}}]', [{ a: 1 }, { a: { a: 2 } }]],
    ["9007199254740991", 9_007_199_254_740_991],
    ["[0, -0, 0.00, 0e5, 1.5e-7, 0.1000000000000000055]", [0, -0, 0, 0, 1.5e-7, 0.1]],
  ])("comes as it is: %s", (text, value) => {
    expect(parseJson(text, "--input")).toEqual(value);
  });

  test("keeps a key that is a name of JavaScript's", () => {
    expect(JSON.stringify(parseJson('{"__proto__":{"a":1},"constructor":2}', "--input"))).toBe(
      '{"__proto__":{"a":1},"constructor":2}',
    );
  });

  test("may have a text of a million characters", () => {
    expect(parseJson(`"${"\\n".repeat(500_000)}"`, "--input")).toHaveLength(500_000);
  });

  test.each([
    ['{"a":1e999}', "the number 1e999, which the handler would get as null"],
    ["[-1e400]", "the number -1e400"],
    ["[1e-400]", "the number 1e-400, which the handler would get as 0"],
    ["9007199254740993", "the number 9007199254740993, which the handler would get as 9007199254740992"],
    ['{"id":-12345678901234567890}', "the number -12345678901234567890"],
    ['{"a":1,"b":{"c":1},"\\u0061":2}', 'the key "\\u0061" twice'],
    ['{"a":{"b" : 1, "b" :2}}', 'the key "b" twice'],
    ['{"__proto__":1,"__proto__":2}', 'the key "__proto__" twice'],
    ["{a: 1}", "--input is no JSON"],
  ])("is refused where something of it would be lost: %s", (text, said) => {
    const refused = expect.objectContaining({ code: "INVALID_INPUT", message: expect.stringContaining(said) });
    expect(() => parseJson(text, "--input")).toThrow(refused);
  });
});

import { describe, expect, test } from "vitest";
import { logLine } from "../../lib/cli/log-line.ts";

test("a line of structured log is its message and what else it says; any other line is marked", () => {
  expect(logLine('{"level":"INFO","message":"read","orders":3,"job":"nightly"}')).toBe("read orders=3");
  expect(logLine("read 3 orders")).toBe("| read 3 orders");
});

test.each([
  ['{"message":{"toString":1}}', '{"toString":1}'],
  ['{"message":null}', "null"],
  ['{"message":"read","level":{"toString":1}}', "read"],
  ['{"message":"read","level":"__proto__"}', "read"],
  ['{"orders":3}', "orders=3"],
])("what is no text is shown as JSON: %s", (line, shown) => {
  expect(logLine(line)).toBe(shown);
});

test.each([
  ["\u001b[2Jread", "| \\x1b[2Jread"],
  ['{"message":"\\u001b[2Jread\\nforged"}', "\\x1b[2Jread\\x0aforged"],
  ['{"message":"read","by\\u0007":"a\\u009bb"}', "read by\\x07=a\\x9bb"],
])("control characters do not reach the terminal: %j", (line, shown) => {
  expect(logLine(line)).toBe(shown);
});

test("a number that the message names already is not said again", () => {
  const line = '{"message":"waits for its turn, at position 1","position":1}';
  expect(logLine(line)).toBe("waits for its turn, at position 1");
  expect(logLine('{"message":"read 1 of 12 orders","orders":2}')).toBe("read 1 of 12 orders orders=2");
});

const asset = `/home/me/shop/.escapement/cdk.out/asset.${"0123456789abcdef".repeat(4)}`;

describe("an error is shown by its stack, in lines of their own below the message", () => {
  test("that the handler logs, with its cause and what else it says, and files as the project has them", () => {
    const cause = { name: "Error", location: "", message: "inner", stack: "Error: inner\n    at <anonymous>" };
    const stack = `RangeError: too many\n    at read (${asset}/functions/nightly.ts:3:9)\n    at async file://${asset}/a b/x.ts:1:2`;
    const error = { name: "RangeError", location: "x.ts:3", message: "too many", stack, cause, code: "E_MANY" };
    expect(logLine(JSON.stringify({ level: "ERROR", message: "not read", orders: 3, error }))).toBe(
      [
        'not read orders=3 error={"code":"E_MANY"}',
        "  RangeError: too many",
        "      at read (functions/nightly.ts:3:9)",
        "      at async a b/x.ts:1:2",
        "  caused by Error: inner",
        "      at <anonymous>",
      ].join("\n"),
    );
  });

  test("that Lambda prints of an invocation", () => {
    const stack = [
      "ComeAgainError: held",
      `    at execute (${asset}/node_modules/escapement/lib/lambda/execute.ts:97:13)`,
    ];
    const error = JSON.stringify({ errorType: "ComeAgainError", errorMessage: "held", stack });
    expect(logLine(`2026-03-27T22:10:17.132Z\trequest-1\tERROR\tInvoke Error\t${error}`)).toBe(
      "Invoke Error\n  ComeAgainError: held\n      at execute (node_modules/escapement/lib/lambda/execute.ts:97:13)",
    );
  });

  test.each([
    ["what is thrown is no error", { errorType: "string", errorMessage: "no", stack: [] }, "  string: no"],
    [
      "its stack is none, and its message no text",
      { errorType: "Error", errorMessage: { toString: 1 }, stack: [] },
      '  Error: {"toString":1}',
    ],
    ["its stack has no lines", { errorType: "Error", errorMessage: "no", stack: [5] }, "  Error: no"],
  ])("%s", (_what, error, shown) => {
    const line = `2026-03-27T22:10:17.132Z\t\tERROR\tInit Error \t${JSON.stringify(error)}`;
    expect(logLine(line)).toBe(`Init Error\n${shown}`);
  });

  test("with a cause that is none, and not what only looks like one", () => {
    const error = { name: "Error", message: "no", stack: "Error: no", cause: "x" };
    expect(logLine(JSON.stringify({ message: "read", error, pile: { stack: ["plate"] } }))).toBe(
      'read error={"cause":"x"} pile={"stack":["plate"]}\n  Error: no',
    );
  });

  test("without control characters, and without a line that passes for another job's", () => {
    const error = { name: "Error", message: "no", stack: "Error: no\u001b[2J\rx\n12:00:00 nightly started" };
    expect(logLine(JSON.stringify({ message: "read", error }))).toBe(
      "read\n  Error: no\\x1b[2J\\x0dx\n  12:00:00 nightly started",
    );
  });

  test("however deep its causes are", () => {
    const depth = 20_000;
    const error = `${'{"name":"E","stack":"E","cause":'.repeat(depth)}null${"}".repeat(depth)}`;
    expect(logLine(`{"message":"deep","error":${error}}`)?.split("\n").length).toBe(1 + depth);
  });
});

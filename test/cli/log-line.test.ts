import { expect, test } from "vitest";
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

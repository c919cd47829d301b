import { describe, expect, test } from "vitest";
import { LineSplitter } from "../../lib/local/line-splitter.ts";

describe("text that comes in chunks", () => {
  test("is given line by line, a line as a whole", () => {
    const { lines, splitter } = collect();
    for (const chunk of ["a", "b\nc", "", "\n\nd\ne", "f"]) splitter.push(chunk);
    expect(lines).toEqual(["ab", "c", "", "d"]);
  });

  test("has its last line when it ends, also without a line break, and only once", () => {
    const { lines, splitter } = collect();
    splitter.push("a\nb");
    splitter.end();
    splitter.end();
    expect(lines).toEqual(["a", "b"]);
  });

  test("is not kept without bounds where no line ends: it is cut after 1 MB", () => {
    const { lines, splitter } = collect();
    for (let count = 0; count < 33; count += 1) splitter.push("x".repeat(65_536));
    splitter.push("\n");
    expect(lines.map((line) => line.length)).toEqual([1_048_576, 1_048_576, 65_536]);
  });
});

function collect() {
  const lines: string[] = [];
  return { lines, splitter: new LineSplitter((more) => lines.push(...more)) };
}

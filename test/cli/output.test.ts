import { describe, expect, test } from "vitest";
import { terminalTable } from "../../lib/cli/output.ts";

const head = ["Job", "Next", "Why"];
const rows = [
  ["nightly", "2026-05-02 00:30:00 UTC\n2026-05-02 02:30:00 +02:00", ""],
  ["hourly", "none\n", "disabled"],
];

describe("a table on a terminal", () => {
  test("has borders where it fits", () => {
    expect(terminalTable(head, rows, 51)).toMatch(/^┌.*┐\n│ +Job +│ Next +│ +Why +│\n/);
  });

  test("is a block of lines for each row where it would be wider than the terminal", () => {
    // With borders it has 51 columns.
    expect(terminalTable(head, rows, 50)).toBe(
      [
        "Job   nightly",
        "Next  2026-05-02 00:30:00 UTC",
        "      2026-05-02 02:30:00 +02:00",
        "",
        "Job   hourly",
        "Next  none",
        "Why   disabled",
      ].join("\n"),
    );
  });
});

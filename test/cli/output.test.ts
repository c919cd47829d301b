import { describe, expect, test } from "vitest";
import { printable, printableLines, terminalTable } from "../../lib/cli/output.ts";
import { escapement } from "./escapement.ts";

const head = ["Job", "Next", "Why"];
const rows = [
  ["nightly", "2026-05-02 00:30:00 UTC\n2026-05-02 02:30:00 +02:00", ""],
  ["hourly", "none\n", "disabled"],
];

describe("text from outside", () => {
  test("has its control characters escaped, line breaks too, so that it neither steers the terminal nor forges a line", () => {
    expect(printable("\u001b]0;title\u0007 a\r\nb \u009b2J \u007f")).toBe(
      "\\x1b]0;title\\x07 a\\x0d\\x0ab \\x9b2J \\x7f",
    );
  });

  test("has what turns the direction of text or breaks a line elsewhere escaped, too", () => {
    expect(printable("a\u202eb\u2066c\u200fd\u061ce\u2028f\u2029g")).toBe(
      "a\\u202eb\\u2066c\\u200fd\\u061ce\\u2028f\\u2029g",
    );
  });

  test("keeps its tabs and all that is no control character", () => {
    expect(printable("a\tb Grüße 日本 🎉")).toBe("a\tb Grüße 日本 🎉");
  });

  test("of several lines keeps its line breaks where these are laid out", () => {
    expect(printableLines("expected\n\u001b[31m1\nreceived")).toBe("expected\n\\x1b[31m1\nreceived");
  });
});

describe("a table on a terminal", () => {
  test("has borders where it fits", () => {
    expect(terminalTable(head, rows, 51)).toMatch(/^┌.*┐\n│ +Job +│ Next +│ +Why +│\n/);
  });

  test("wraps a last column of prose where only that makes it too wide", () => {
    const why = "TypeError: Cannot read properties of undefined (reading 'orders')";

    expect(
      terminalTable(["Run", "Why"], [["2026-05-02", why]], 60)
        .split("\n")
        .slice(3, 5),
    ).toEqual([
      "│ 2026-05-02 │ TypeError: Cannot read properties of        │",
      "│            │ undefined (reading 'orders')                │",
    ]);
  });

  test("cuts off no word: a long one makes it a block of lines", () => {
    const why = "overlap: 2026-05-02T00:30:00.000Z#manual#0a1b2c3d held the lock";

    expect(terminalTable(["Run", "Why"], [["2026-05-02", why]], 54)).toBe(`Run  2026-05-02\nWhy  ${why}`);
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

test("a usage error shows control characters of what was typed escaped", async () => {
  const { code, stderr } = await escapement(["lis\u001b[2Jt"]);

  expect(code).toBe(2);
  expect(stderr).toContain("unknown command 'lis\\x1b[2Jt'");
});

test("--watch needs a terminal", async () => {
  const { code, stderr } = await escapement(["list", "--watch"]);

  expect(code).toBe(2);
  expect(stderr).toContain("--watch redraws a terminal");
});

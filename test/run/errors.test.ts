import { expect, test } from "vitest";
import { truncateUtf8 } from "../../lib/run/index.ts";

// "…" takes 3 bytes, "é" 2, "€" 3, "😀" 4.
test.each([
  ["abcdef", 6, "abcdef"],
  ["abcdefg", 6, "abc…"],
  ["éééé", 8, "éééé"],
  ["ééééé", 8, "éé…"],
  ["€€€", 8, "€…"],
  ["😀😀", 7, "😀…"],
  ["", 3, ""],
])("%o within %i bytes is %o", (text, maxBytes, expected) => {
  expect(truncateUtf8(text, maxBytes)).toBe(expected);
});

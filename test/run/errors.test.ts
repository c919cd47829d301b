import { expect, test } from "vitest";
import { truncateUtf8 } from "../../lib/run/index.ts";

// "…" takes 3 bytes, "é" 2, "€" 3, "😀" 4; U+0080, U+0800 and U+10000 are the first that take 2, 3 and 4.
test.each([
  ["abcdef", 6, "abcdef"],
  ["abcdefg", 6, "abc…"],
  ["éééé", 8, "éééé"],
  ["ééééé", 8, "éé…"],
  ["€€€", 8, "€…"],
  ["😀😀", 7, "😀…"],
  ["", 3, ""],
  // Half of a surrogate pair has no encoding in UTF-8; U+FFFD, which stands for it, takes 3 bytes.
  ["a\ud800b", 5, "a\ufffdb"],
  ["a\udfffbc", 5, "a…"],
  ["\u0080", 1, "…"],
  ["\u0800", 2, "…"],
  ["\u{10000}", 3, "…"],
])("%o within %i bytes is %o", (text, maxBytes, expected) => {
  expect(truncateUtf8(text, maxBytes)).toBe(expected);
});

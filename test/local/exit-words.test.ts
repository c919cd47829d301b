import { expect, test } from "vitest";
import { exitWords, saysOutOfHeap } from "../../lib/local/exit-words.ts";

test("how a process has ended is told in Lambda's words", () => {
  expect(exitWords(3, null, false)).toBe("exit status 3");
  expect(exitWords(null, "SIGKILL", false)).toBe("signal: killed");
  expect(exitWords(null, "SIGABRT", false)).toBe("signal: aborted");
  expect(exitWords(null, "SIGUSR2", false)).toBe("signal: SIGUSR2");
});

test("one that takes too much memory was killed, whether V8's limit was seen first or that of the whole process", () => {
  const line = "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory";
  expect(exitWords(null, "SIGABRT", saysOutOfHeap(line))).toBe("signal: killed");
  expect(exitWords(null, "SIGKILL", saysOutOfHeap(line))).toBe("signal: killed");
});

test("a handler that speaks of memory and ends for another reason is taken for what it is", () => {
  expect(saysOutOfHeap("It said: JavaScript heap out of memory")).toBe(false);
  expect(exitWords(1, null, true)).toBe("exit status 1");
});

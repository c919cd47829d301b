import { expect, test } from "vitest";
import { listenForInterrupt } from "../../lib/cli/interrupt.ts";

test("the first Ctrl-C asks to stop, the second one ends it, and none is heard once it is over", () => {
  let ended = 0;
  const interrupt = listenForInterrupt(() => ended++);
  const before = process.listenerCount("SIGINT");
  expect(interrupt.signal.aborted).toBe(false);

  process.emit("SIGINT");
  expect([interrupt.signal.aborted, ended]).toEqual([true, 0]);
  process.emit("SIGTERM");
  expect(ended).toBe(1);

  interrupt.release();
  expect(process.listenerCount("SIGINT")).toBe(before - 1);
});

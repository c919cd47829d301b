import { expect, test } from "vitest";
import { running } from "./running.ts";

test("a handler that prints half a million lines in one go is not killed for what has not been read of them yet", async () => {
  const source = `
    export const handler = async () => {
      for (let line = 1; line <= 500_000; line += 1) console.log("x".repeat(200) + line);
    };`;
  const { runner, invoke, lines } = await running({
    fn: { source, timeoutSeconds: 120, properties: { MemorySize: 256 } },
  });
  const ended = new Promise((resolve) => {
    runner.subscribe((event) => {
      if (event.kind === "finished") resolve(event.error);
    });
  });
  await invoke("fn");
  expect(await ended).toBeUndefined();
  expect([lines("fn").length, lines("fn").at(-1)]).toEqual([500_000, `${"x".repeat(200)}500000`]);
}, 120_000);

import { spawn } from "node:child_process";
import { once } from "node:events";
import { startEmulator } from "./emulator.ts";

// Starts the emulator and runs the tests of this folder against it: `npm run test:deploy`, with Vitest's own arguments.

const emulator = await startEmulator();
if ("missing" in emulator) console.log(`skipped: ${emulator.missing}`);
else {
  // Ctrl-C reaches the tests as well, which end by it; then there is the emulator left to stop.
  process.on("SIGINT", () => {});
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/deploy/vitest.config.ts"];
  const tests = spawn(process.execPath, [...vitest, ...process.argv.slice(2)], {
    env: { ...process.env, ...emulator.environment },
    stdio: "inherit",
  });
  const [code] = await once(tests, "exit");
  await emulator.stop();
  process.exitCode = code ?? 1;
}

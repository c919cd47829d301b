import { spawn } from "node:child_process";
import { once } from "node:events";
import { deployExample } from "./deploy-example.ts";
import { outputOf } from "./deployed-stack.ts";
import { startEmulator } from "./emulator.ts";

// Starts the emulator, deploys the example app to it and runs the tests: `npm run test:deploy`, with Vitest's own arguments.

// Ctrl-C reaches the CDK and the tests as well, which end by it; then there is the emulator left to stop.
process.on("SIGINT", () => {});
const emulator = await startEmulator();
if ("missing" in emulator) console.log(`skipped: ${emulator.missing}`);
else {
  Object.assign(process.env, emulator.environment);
  try {
    await deployExample();
    process.env["ESCAPEMENT_TEST_TABLE"] = await outputOf("Escapement-dev", "RunTableName");
    process.exitCode = await runTests();
  } finally {
    await emulator.stop();
  }
}

async function runTests(): Promise<number> {
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/deploy/vitest.config.ts"];
  const tests = spawn(process.execPath, [...vitest, ...process.argv.slice(2)], { stdio: "inherit" });
  const [code] = await once(tests, "exit");
  return code ?? 1;
}

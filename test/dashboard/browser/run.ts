import { spawn } from "node:child_process";
import { once } from "node:events";
import { findChromium } from "./chromium.ts";
import { installChromium } from "./install-chromium.ts";

// Finds or installs Chromium, and runs the tests that need it: `npm run test:browser`, with Vitest's own arguments.

const MISSING =
  "there is no Chromium on this machine, and it can be installed from here on Debian as root alone: " +
  "`apt-get install chromium`, `brew install chromium`, or name yours in CHROMIUM.";

try {
  if (!findChromium()) installChromium();
  if (findChromium()) process.exitCode = await runTests();
  else console.log(`skipped: ${MISSING}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function runTests(): Promise<number> {
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/dashboard/browser/vitest.config.ts"];
  const tests = spawn(process.execPath, [...vitest, ...process.argv.slice(2)], { stdio: "inherit" });
  const [code] = await once(tests, "exit");
  return code ?? 1;
}

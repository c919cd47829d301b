import { defineConfig } from "vitest/config";
import config from "./vitest.config.ts";

/**
 * The tests that are to notice a change of the run protocol: those that need no table, and are quick. Stryker runs them in
 * threads, where the embedded table cannot be.
 */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    include: ["test/run/**/*.test.ts", "test/store/conditions.test.ts"],
    // One thread for all files: to start one for each would take most of the time.
    isolate: false,
  },
});

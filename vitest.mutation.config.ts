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
    include: ["test/run/**/*.test.ts", "test/store/conditions.test.ts", "test/simulation/simulation.test.ts"],
    env: { ...config.test?.env, SIMULATION_WORLDS: "15" },
  },
});

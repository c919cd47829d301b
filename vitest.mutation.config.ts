import { defineConfig } from "vitest/config";
import config from "./vitest.config.ts";

/** The tests that are to notice a change of the run protocol. The explorations would take minutes for each change. */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    include: ["test/run/**/*.test.ts", "test/store/**/*.test.ts", "test/simulation/simulation.test.ts"],
    env: { ...config.test?.env, SIMULATION_WORLDS: "25" },
  },
});

import { defineConfig } from "vitest/config";
import config from "./vitest.config.ts";

/** The tests that are to notice a change of the run protocol: those that need no table, and so take a moment each. */
export default defineConfig({
  ...config,
  test: { ...config.test, include: ["test/run/**/*.test.ts", "test/store/conditions.test.ts"], isolate: false },
});

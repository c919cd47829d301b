import { defineConfig } from "vitest/config";
import base from "../../vitest.config.ts";

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ["test/deploy/**/*.test.ts", "test/store/**/*.test.ts"],
    exclude: [],
    globalSetup: "test/deploy/setup.ts",
    // All of them share one emulator, and the store's tests one table.
    fileParallelism: false,
    isolate: false,
    hookTimeout: 180_000,
    testTimeout: 180_000,
  },
});

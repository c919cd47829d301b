import { defineConfig } from "vitest/config";
import base from "../../vitest.config.ts";

const { include: _include, exclude: _exclude, ...common } = base.test ?? {};
const test = { ...common, isolate: false, hookTimeout: 180_000, testTimeout: 180_000 };

export default defineConfig({
  test: {
    projects: [
      {
        ...base,
        test: { ...test, name: "deploy", include: ["test/deploy/**/*.test.ts"], sequence: { groupOrder: 0 } },
      },
      {
        ...base,
        test: {
          ...test,
          name: "store",
          include: ["test/store/**/*.test.ts"],
          // All of them on one table, which nobody else uses any more.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

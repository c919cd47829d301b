import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["escapement-source"] },
  ssr: { resolve: { conditions: ["escapement-source"] } },
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    env: {
      // The template validator takes 2.7 s per first template; `npx cdk synth` keeps it on.
      CDK_VALIDATION: "false",
      // The SDK warns on Node 20, which the install's engine warning says already.
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
    },
  },
});

import { defineConfig } from "vitest/config";

function groupBy<K, V>(values: Iterable<V>, keyOf: (value: V) => K): Map<K, V[]> {
  const groups = new Map<K, V[]>();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return groups;
}

// Vitest shows a failure by it, and Node 20 does not have it: the failure would not be seen.
if (!("groupBy" in Map)) Object.assign(Map, { groupBy });

/** Minutes each: npm run test:long. */
export const LONG = [
  "test/exploration/**/*.test.ts",
  "test/chaos/chaos.test.ts",
  "test/infra/!(names|permissions|schedules|stack).test.ts",
  "test/local/{crashed,dst-night,faults,garbage,json-file,neighbours,overlap,printing,reload,reloader,synthesize,watchdog}.test.ts",
  "test/cli/{backfill,completion,dashboard,dead-letters,dev,operators,scaffold,tour}.test.ts",
  "test/dashboard/server/{actions,events,metrics,openapi}.test.ts",
  "test/schemas/schemas.test.ts",
  "test/store/contention.test.ts",
  "test/simulation/mutants.test.ts",
];

export default defineConfig({
  resolve: { conditions: ["escapement-source"] },
  ssr: { resolve: { conditions: ["escapement-source"] } },
  test: {
    include: ["test/**/*.test.ts"],
    // The deployment needs an emulator: npm run test:deploy.
    // A browser has a command of its own, too: npm run test:browser.
    exclude: ["test/deploy/**", "test/dashboard/browser/**", ...LONG],
    // Half of the time is waiting for child processes: one worker for each core, where the default keeps one free.
    maxWorkers: "100%",
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: {
      // The template validator takes 2.7 s per first template; `npx cdk synth` keeps it on.
      CDK_VALIDATION: "false",
      // The SDK warns on Node 20, which the install's engine warning says already.
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
    },
  },
});

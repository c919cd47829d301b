import { parseArgs } from "node:util";

/**
 * The conditions that this process resolves package entry points with (`node --conditions=…`). A job file is read, and
 * bundled, with the same ones, so that what was checked is what is deployed.
 */
export function inheritedConditions(): string[] {
  const fromEnvironment = process.env["NODE_OPTIONS"]?.split(/\s+/) ?? [];
  const { values } = parseArgs({
    args: [...process.execArgv, ...fromEnvironment],
    options: { conditions: { type: "string", short: "C", multiple: true } },
    strict: false,
  });
  return (values.conditions ?? []).filter((condition) => typeof condition === "string");
}

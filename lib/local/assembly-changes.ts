import { basename } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { FunctionDefinition, ScheduleDefinition } from "./definitions.ts";

/** The functions of a new assembly; one that stayed as it was is the one before, so that its sandboxes stay. */
export function keepUnchanged(
  before: ReadonlyMap<string, FunctionDefinition>,
  functions: readonly FunctionDefinition[],
): FunctionDefinition[] {
  return functions.map((fn) => {
    const old = before.get(fn.name);
    return old && isDeepStrictEqual(content(old), content(fn)) ? old : fn;
  });
}

/** The folder of an asset is named by a hash of what is in it. */
function content(fn: FunctionDefinition) {
  return { ...fn, assetDir: basename(fn.assetDir) };
}

export interface Deployed {
  readonly functions: readonly FunctionDefinition[];
  readonly schedules: readonly ScheduleDefinition[];
}

/** What is other than before, in words: `changed nightly; new hourly; removed weekly`. */
export function changesInWords(before: Deployed, after: Deployed): string {
  const [old, now] = [byFunction(before), byFunction(after)];
  const names = (from: typeof old, fits: (name: string) => boolean) => [...from.keys()].filter(fits).map(jobName(from));
  const parts = [
    ["changed", names(now, (name) => old.has(name) && !isDeepStrictEqual(old.get(name), now.get(name)))],
    ["new", names(now, (name) => !old.has(name))],
    ["removed", names(old, (name) => !now.has(name))],
  ] as const;
  const words = parts.flatMap(([what, found]) => (found.length > 0 ? `${what} ${found.join(", ")}` : []));
  return words.join("; ") || "nothing that runs has changed";
}

function byFunction({ functions, schedules }: Deployed) {
  return new Map(
    functions.map((fn) => {
      const own = schedules.filter(({ functionName }) => functionName === fn.name);
      return [fn.name, { fn: content(fn), schedules: own }];
    }),
  );
}

function jobName(from: ReturnType<typeof byFunction>): (name: string) => string {
  return (name) => from.get(name)?.fn.environment["ESCAPEMENT_JOB"] ?? name;
}
